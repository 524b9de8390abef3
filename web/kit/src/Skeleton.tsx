import type { ReactNode } from 'react'
import { useKitText } from './kit-text.tsx'

/** The place of something that is still loading. Its size comes from `className`; put several into a {@link SkeletonGroup}. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-shimmer rounded-md bg-sunken ${className}`} />
}

interface SkeletonGroupProps {
  /** Nothing else of the page is there, not even its heading. */
  isPage?: boolean
  children: ReactNode
  className?: string
}

/** Says once that something is loading, however many skeletons it is drawn with. */
export function SkeletonGroup({ isPage = false, children, className = '' }: SkeletonGroupProps) {
  const text = useKitText()
  const Heading = isPage ? 'h1' : 'span'
  return (
    <div role="status" className={className}>
      <Heading className="sr-only">{text('Loading')}</Heading>
      {children}
    </div>
  )
}

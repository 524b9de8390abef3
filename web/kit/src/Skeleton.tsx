import type { ReactNode } from 'react'
import { useKitText } from './kit-text.tsx'

/** A placeholder for loading content, sized by `className`; put several into a {@link SkeletonGroup}. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-shimmer rounded-md bg-sunken ${className}`} />
}

interface SkeletonGroupProps {
  /** The whole page is loading, including its heading. */
  isPage?: boolean
  children: ReactNode
  className?: string
}

/** Announces once that content is loading, for any number of skeletons. */
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

import type { ReactNode } from 'react'
import { useAnnouncement } from './announcements.ts'
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

/** Loading that takes less is not announced. */
const DELAY_MS = 1000

/** Announces once that content is loading, for any number of skeletons. */
export function SkeletonGroup({ isPage = false, children, className = '' }: SkeletonGroupProps) {
  const text = useKitText()
  useAnnouncement(text('Loading'), DELAY_MS)
  const Heading = isPage ? 'h1' : 'span'
  return (
    <div role="status" aria-live="off" className={className}>
      <Heading className="sr-only">{text('Loading')}</Heading>
      {children}
    </div>
  )
}

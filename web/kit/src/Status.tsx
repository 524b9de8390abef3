import { type ComponentProps, useEffect, useState } from 'react'

/** Until screen readers know the region. */
const DELAY_MS = 150

/**
 * A text that screen readers say when it comes and when it changes. They read changes of regions that they know, so the text is
 * hidden from them until the region is known.
 */
export function Status({ children, ...rest }: Omit<ComponentProps<'div'>, 'role'>) {
  const [isKnown, setKnown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setKnown(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div {...rest} role="status">
      <div aria-hidden={!isKnown || undefined} className="contents">
        {children}
      </div>
    </div>
  )
}

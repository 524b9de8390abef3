import { type ComponentProps, useEffect, useState } from 'react'

/** Time until screen readers have registered the region. */
const DELAY_MS = 150

/**
 * A text that screen readers announce when it appears and when it changes. They announce only changes of registered regions,
 * so the text is hidden from them until the region is registered, and links in it work from then on.
 *
 * @param textId the id for `aria-labelledby`; it names an element even while the text is hidden
 */
export function Status({ children, textId, ...rest }: Omit<ComponentProps<'div'>, 'role'> & { textId?: string }) {
  const [isKnown, setKnown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setKnown(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div {...rest} role="status">
      <div id={textId} aria-hidden={!isKnown || undefined} inert={!isKnown} className="contents">
        {children}
      </div>
    </div>
  )
}

import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { IconButton } from './Button.tsx'
import { frameClass } from './Header.tsx'
import { useKitText } from './kit-text.tsx'

/**
 * The cookie notice at the bottom of the window; it never closes automatically (specification §2). The page leaves
 * room of the banner's height below, so that it never covers a button.
 */
export function CookieBanner({
  label,
  isWide = false,
  onClose,
  children,
}: {
  label: string
  /** The page uses the whole window. */
  isWide?: boolean
  onClose: () => void
  children: ReactNode
}) {
  const ref = useRef<HTMLElement>(null)
  const text = useKitText()
  useLayoutEffect(() => {
    const banner = ref.current
    if (banner === null) return undefined
    const room = () => {
      document.documentElement.style.setProperty('--room-below', `${banner.offsetHeight}px`)
    }
    const observer = new ResizeObserver(room)
    observer.observe(banner)
    return () => {
      observer.disconnect()
      document.documentElement.style.removeProperty('--room-below')
    }
  }, [])
  return (
    <section
      ref={ref}
      aria-label={label}
      className="fixed inset-x-0 bottom-0 z-40 border-t border-border bg-raised shadow-popup"
    >
      <div className={`flex items-center gap-4 py-2 ${frameClass(isWide)}`}>
        <div className="grow py-1.5">{children}</div>
        <IconButton icon="close" label={text('Close')} onClick={onClose} />
      </div>
    </section>
  )
}

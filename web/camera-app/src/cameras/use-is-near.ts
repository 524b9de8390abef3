import { type RefObject, useEffect, useState } from 'react'

/** Pictures this far outside the viewport are requested too, so that they are ready when the user scrolls. */
const NEAR = '200px'

/** Whether an element is in or near the viewport. */
export function useIsNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (element.current === null) return undefined
    const observer = new IntersectionObserver((entries) => setIsNear(entries.at(-1)?.isIntersecting === true), {
      rootMargin: NEAR,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isNear
}

import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** `cards`: each row a card; `narrow`: without the minor columns. */
export type TableLayout = 'cards' | 'narrow' | 'wide'

const REM_PX = 16
const layoutOf = (width: number): TableLayout => {
  if (width < 40 * REM_PX) return 'cards'
  return width < 56 * REM_PX ? 'narrow' : 'wide'
}

/** The layout that fits the table's width; a printed table always has all columns and rows of its page. */
export function useTableLayout(place: RefObject<HTMLElement | null>): { layout: TableLayout; printing: boolean } {
  const [layout, setLayout] = useState<TableLayout>('wide')
  const [printing, setPrinting] = useState(false)
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return undefined
    setLayout(layoutOf(element.clientWidth))
    const observer = new ResizeObserver(() => setLayout(layoutOf(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  useLayoutEffect(() => {
    const paper = window.matchMedia('print')
    // Synchronous, because the browser captures the page for printing right after the listeners.
    const show = (isPaper: boolean) => flushSync(() => setPrinting(isPaper))
    const onChange = () => show(paper.matches)
    const before = () => show(true)
    const after = () => show(false)
    paper.addEventListener('change', onChange)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      paper.removeEventListener('change', onChange)
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  return { layout: printing ? 'wide' : layout, printing }
}

import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** `cards`: each row a card; `narrow`: without the minor columns. */
export type TableLayout = 'cards' | 'narrow' | 'wide'

const REM_PX = 16
const layoutOf = (width: number): TableLayout => {
  if (width < 40 * REM_PX) return 'cards'
  return width < 56 * REM_PX ? 'narrow' : 'wide'
}

/** How the table fits into its place; on paper it always has every column and every row of its page. */
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
    // At once: the browser takes its picture of the page when the listeners are through.
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

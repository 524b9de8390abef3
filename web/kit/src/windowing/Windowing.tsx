import { defaultRangeExtractor, useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'
import { type ListWindow, withNeighbors } from './list-window.ts'

/** Distance from the visible part, in CSS pixels, within which rows are drawn. */
const AHEAD_PX = 900
/** The same in a list with its own scroll bar, which is lower than the window. */
const AHEAD_IN_LIST_PX = 400
/** Assumed height of a list with its own scroll bar until it is measured, so that no frame is empty. */
const LIST_PX = 400

export interface WindowingProps {
  list: RefObject<HTMLElement | null>
  count: number
  /** Must be stable while the rows are unchanged. */
  keyAt: (index: number) => string | number
  /** Estimated row height in CSS pixels until the row is measured. */
  rowHeight: number
  /** The index of the row that stays drawn with its neighbors; -1 for none. */
  kept: number
  /** Called before the browser paints. */
  onChange: (now: ListWindow) => void
}

function useOptions({ count, keyAt, rowHeight, kept }: WindowingProps, ahead: number) {
  return {
    count,
    getItemKey: keyAt,
    estimateSize: useCallback(() => rowHeight, [rowHeight]),
    overscan: Math.ceil(ahead / rowHeight),
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) =>
        withNeighbors(defaultRangeExtractor(range), kept, range.count),
      [kept],
    ),
    // The library rounds to whole pixels; over thousands of rows the error would become visible.
    measureElement: (row: Element, entry: ResizeObserverEntry | undefined) =>
      entry?.borderBoxSize[0]?.blockSize ?? row.getBoundingClientRect().height,
  }
}

type DrawnRange = Pick<Virtualizer<Window, Element>, 'getVirtualItems' | 'getTotalSize' | 'measureElement'>

/** Reports the rows to draw to the list. */
function useReport(virtualizer: DrawnRange, top: number, onChange: WindowingProps['onChange']): void {
  const items = virtualizer.getVirtualItems()
  const height = virtualizer.getTotalSize()
  const { measureElement } = virtualizer
  useLayoutEffect(() => {
    const rows = items.map(({ index, start, size }) => ({ index, start: start - top, size }))
    onChange({ rows, height, measure: measureElement })
  }, [items, height, top, measureElement, onChange])
}

/** Distance from the top of the page to the list, in CSS pixels; it changes with the content above. */
function usePageTop(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const box = list.current?.getBoundingClientRect()
      if (box !== undefined) setTop(Math.round(box.top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return top
}

/** Reports which rows of a list are near the window. It draws nothing and must be rendered after the list. */
export function Windowing(props: WindowingProps) {
  const top = usePageTop(props.list)
  const virtualizer = useWindowVirtualizer<Element>({
    ...useOptions(props, AHEAD_PX),
    scrollMargin: top,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  })
  useReport(virtualizer, top, props.onChange)
  return null
}

/** The same for a list with its own scroll bar: reports which rows are near its visible part. */
export function ListWindowing(props: WindowingProps) {
  const { list } = props
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    ...useOptions(props, AHEAD_IN_LIST_PX),
    getScrollElement: () => list.current,
    // The library scrolls there first, and the list may be scrolled before the library has loaded.
    initialOffset: () => list.current?.scrollTop ?? 0,
    initialRect: { width: 0, height: LIST_PX },
  })
  useReport(virtualizer, 0, props.onChange)
  return null
}

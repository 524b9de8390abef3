import { type ReactNode, type Ref, useCallback, useMemo, useState } from 'react'
import { lazyModule, useLazyModule } from '../lazy-module.ts'
import { type ListWindow, type PlacedRow, placeRows } from './list-window.ts'
import type { WindowingProps } from './Windowing.tsx'

/** Lists up to this length are drawn whole and do not load the library. */
const MAX_DRAWN_WHOLE = 100

const windowing = lazyModule(() => import('./Windowing.tsx'))

type WindowedList = Pick<WindowingProps, 'list' | 'count' | 'keyAt' | 'rowHeight'> & {
  /** Draws all rows, for printing. */
  readonly isWhole?: boolean
  /** The list has its own scroll bar; otherwise the page scrolls. */
  readonly isScrollable?: boolean
  /** The index of a row that stays drawn, instead of the last focused one; -1 for none. */
  readonly kept?: number
}

/** Loads the library for a list of that many rows, so that its first drawing has the rows at their places. */
export async function preloadWindowing(count: number): Promise<void> {
  if (count > MAX_DRAWN_WHOLE) await windowing.preload()
}

/** Props for the element of each row. */
export interface WindowedRowProps {
  readonly ref?: Ref<never>
  readonly 'data-index': number
  readonly onFocus: () => void
}

interface WindowedRows {
  readonly placed: readonly PlacedRow[]
  /** Space after the last drawn row, in CSS pixels. */
  readonly after: number
  /** Stable while the list is scrolled. */
  readonly rowProps: (index: number) => WindowedRowProps
  /** Draws that row wherever the list is scrolled, so that it can be focused. */
  readonly keep: (index: number) => void
  /** Must be rendered after the list. */
  readonly windowing: ReactNode
}

function useIndex(key: string | number | undefined, { keyAt, count }: WindowedList): number {
  return useMemo(() => {
    if (key === undefined) return -1
    return Array.from({ length: count }, (_, index) => keyAt(index)).indexOf(key)
  }, [key, keyAt, count])
}

/**
 * The rows of a long list to draw: those near the visible part, and the last focused row with its neighbors, so that it keeps
 * the focus and Tab continues from there.
 */
export function useWindowing(given: WindowedList): WindowedRows {
  const { list, count, keyAt, rowHeight, isWhole = false, isScrollable = false } = given
  const isLong = count > MAX_DRAWN_WHOLE
  const Module = useLazyModule(windowing, isLong)
  const [now, setNow] = useState<ListWindow>()
  const [keptKey, keepKey] = useState<string | number>()
  const focused = useIndex(keptKey, given)
  const keep = useCallback((index: number) => keepKey(keyAt(index)), [keyAt])
  const isWindowed = isLong && !isWhole && Module !== undefined
  const measure = isWindowed ? now?.measure : undefined
  const rowProps = useCallback(
    (index: number): WindowedRowProps => ({
      ...(measure === undefined ? {} : { ref: measure }),
      'data-index': index,
      onFocus: () => keep(index),
    }),
    [measure, keep],
  )
  const drawn = isWhole ? count : Math.min(count, MAX_DRAWN_WHOLE)
  const whole = () => Array.from({ length: drawn }, (_, index) => ({ index, gap: 0 }))
  const Windowing = isScrollable ? Module?.ListWindowing : Module?.Windowing
  const props = { list, count, keyAt, rowHeight, kept: given.kept ?? focused }
  return {
    ...(isWindowed && now !== undefined
      ? placeRows(now, count)
      : { placed: whole(), after: (count - drawn) * rowHeight }),
    rowProps,
    keep,
    windowing: isWindowed && Windowing !== undefined ? <Windowing {...props} onChange={setNow} /> : null,
  }
}

import { useRef } from 'react'
import { selectedShare, withKeys } from '../selected-keys.ts'

export type RowKey = string | number

/** The selected rows, stored by the screen. */
export interface Selection {
  readonly selected: ReadonlySet<RowKey>
  readonly onChange: (selected: ReadonlySet<RowKey>) => void
}

const nothing: ReadonlySet<RowKey> = new Set()

/** Handles selection on a page of rows; Shift extends it from the last selected row. */
export function useSelecting<Row>(rows: readonly Row[], keyOf: (row: Row) => RowKey, selection: Selection | undefined) {
  const last = useRef<RowKey>(undefined)
  const selected = selection?.selected ?? nothing
  const keys = selection === undefined ? [] : rows.map(keyOf)
  const change = (touched: readonly RowKey[], on: boolean) => selection?.onChange(withKeys(selected, touched, { on }))
  return {
    page: selectedShare(selected, keys),
    isSelected: (key: RowKey) => selected.has(key),
    selectPage: (on: boolean) => change(keys, on),
    select: (index: number, { on, withShift }: { on: boolean; withShift: boolean }) => {
      const before = last.current === undefined ? -1 : keys.indexOf(last.current)
      last.current = keys[index]
      const from = withShift && before >= 0 ? before : index
      change(keys.slice(Math.min(from, index), Math.max(from, index) + 1), on)
    },
  }
}

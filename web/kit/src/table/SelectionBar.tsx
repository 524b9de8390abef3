import type { ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { useKitText } from '../kit-text.tsx'
import { Status } from '../Status.tsx'
import { withKeys } from '../selected-keys.ts'
import type { RowKey, Selection } from './selection.ts'
import type { TableView } from './table-view.ts'

interface SelectionBarProps<Row> {
  view: TableView<Row>
  rowKey: (row: Row) => RowKey
  selection: Selection
  actions: ReactNode
}

/** The number of selected rows and the actions on them; stays visible at the bottom of a long table. */
export function SelectionBar<Row>({ view, rowKey, selection, actions }: SelectionBarProps<Row>) {
  const text = useKitText()
  const { selected, onChange } = selection
  const found = view.found?.map(rowKey) ?? []
  const more = found.some((key) => !selected.has(key))
  return (
    <div
      data-screen-only
      className="sticky bottom-(--room-below) z-10 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-border bg-tint px-4 py-2"
    >
      <Status className="me-auto font-medium tabular-nums">{text('{count} selected', { count: selected.size })}</Status>
      {more ? (
        <Button variant="quiet" onClick={() => onChange(withKeys(selected, found, { on: true }))}>
          {text('Select all {count}', { count: found.length })}
        </Button>
      ) : null}
      <Button variant="quiet" onClick={() => onChange(new Set())}>
        {text('Clear')}
      </Button>
      {actions}
    </div>
  )
}

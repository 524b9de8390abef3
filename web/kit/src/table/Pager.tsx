import { useId } from 'react'
import { IconButton } from '../Button.tsx'
import { useKitText } from '../kit-text.tsx'
import { SelectButton } from '../Select.tsx'
import { Status } from '../Status.tsx'
import { type RowsPerPage, rowsPerPageChoices } from './rows-in-hand.ts'
import type { TableView } from './table-view.ts'

const count = (value: number): string => value.toLocaleString(document.documentElement.lang || undefined)

/** `1–25 of 10,000`, or without the total if it is unknown. */
function useRange<Row>({ rows, first, total }: TableView<Row>): string {
  const text = useKitText()
  if (rows === undefined || rows.length === 0 || first === undefined) return ''
  const from = count(first + 1)
  const till = count(first + rows.length)
  return total === undefined
    ? text('Rows {from}–{till}', { from, till })
    : text('Rows {from}–{till} of {total}', { from, till, total: count(total) })
}

/** Rows per page, the range shown, and buttons for the previous and next page. */
export function Pager<Row>({ view }: { view: TableView<Row> }) {
  const id = useId()
  const text = useKitText()
  const range = useRange(view)
  const { rowsPerPage, onRowsPerPage, onPrevious, onNext } = view
  const choices = view.rowsPerPageChoices ?? rowsPerPageChoices
  const choose = (value: string) => {
    const choice: RowsPerPage | undefined = choices.find((one) => String(one) === value)
    if (choice !== undefined) onRowsPerPage(choice)
  }
  return (
    <div data-screen-only className="flex flex-wrap items-center justify-end gap-x-5 gap-y-2 px-3 py-2 text-muted">
      <div className="flex items-center gap-2 me-auto">
        <label htmlFor={id} className="whitespace-nowrap">
          {text('Rows per page')}
        </label>
        <SelectButton
          id={id}
          label={text('Rows per page')}
          value={String(rowsPerPage)}
          onChange={(event) => choose(event.target.value)}
        >
          {choices.map((choice) => (
            <option key={choice} value={String(choice)}>
              {choice === 'all' ? text('All') : choice}
            </option>
          ))}
        </SelectButton>
      </div>
      <Status className="tabular-nums">{range}</Status>
      <div className="flex">
        <IconButton
          icon="chevronLeft"
          label={text('Previous page')}
          disabled={onPrevious === undefined}
          onClick={onPrevious}
          className="rtl:-scale-x-100"
        />
        <IconButton
          icon="chevronRight"
          label={text('Next page')}
          disabled={onNext === undefined}
          onClick={onNext}
          className="rtl:-scale-x-100"
        />
      </div>
    </div>
  )
}

import { Icon } from '../Icon.tsx'
import { useKitText } from '../kit-text.tsx'
import { Checkbox } from './Checkbox.tsx'
import type { Sort } from './rows-in-hand.ts'
import { asCell, asColumnHeader, asRow, asRowGroup } from './table-roles.ts'
import type { Column } from './table-view.ts'

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[]
  /** Visible to screen readers only: on cards, where each value has its own label. */
  hidden: boolean
  sort: Sort | undefined
  onSort: ((column: string) => void) | undefined
  /** The state of the checkbox that selects the page; undefined without selection. */
  selected: boolean | 'some' | undefined
  onSelect: (all: boolean) => void
  menu: boolean
}

const sortName = (sort: Sort | undefined, column: string): 'ascending' | 'descending' | undefined => {
  if (sort?.column !== column) return undefined
  return sort.descending ? 'descending' : 'ascending'
}

const cellClass =
  'sticky top-15 z-10 h-11 border-b border-border bg-surface text-xs font-medium text-muted print:static'

function HeadCell<Row>({
  column,
  sort,
  onSort,
  hidden,
}: Omit<TableHeadProps<Row>, 'columns'> & { column: Column<Row> }) {
  const sorted = sortName(sort, column.key)
  const end = column.align === 'end'
  if (column.sortBy === undefined || onSort === undefined || hidden) {
    return (
      <th {...asColumnHeader} aria-sort={sorted} className={`${cellClass} px-3 ${end ? 'text-end' : 'text-start'}`}>
        {column.header}
      </th>
    )
  }
  return (
    <th {...asColumnHeader} aria-sort={sorted} className={`${cellClass} ${end ? 'text-end' : 'text-start'}`}>
      <button
        type="button"
        onClick={() => onSort(column.key)}
        className={`group inline-flex h-11 max-w-full items-center gap-1 rounded-sm px-3 -outline-offset-2 hover:text-text ${end ? 'flex-row-reverse' : ''} ${sorted === undefined ? '' : 'text-text'}`}
      >
        <span className="truncate">{column.header}</span>
        <Icon
          name="chevronDown"
          size={14}
          className={
            sorted === undefined
              ? 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60 print:hidden'
              : `transition-transform ${sorted === 'ascending' ? 'rotate-180' : ''}`
          }
        />
      </button>
    </th>
  )
}

/** The column headers, which sort when clicked. They stay below the page's header while rows scroll. */
export function TableHead<Row>(props: TableHeadProps<Row>) {
  const { columns, hidden, selected, onSelect, menu } = props
  const text = useKitText()
  return (
    <thead {...asRowGroup} className={hidden ? 'sr-only' : ''}>
      <tr {...asRow} aria-rowindex={1}>
        {selected === undefined || hidden ? null : (
          <th {...asColumnHeader} className={`${cellClass} ps-1 text-start print:hidden`}>
            <Checkbox label={text('Select all rows on this page')} checked={selected} onChange={onSelect} />
          </th>
        )}
        {selected !== undefined && hidden ? <td {...asCell} /> : null}
        {columns.map((column) => (
          <HeadCell key={column.key} {...props} column={column} />
        ))}
        {menu ? <td {...asCell} className={`${cellClass} print:hidden`} /> : null}
      </tr>
    </thead>
  )
}

import { type ReactNode, useId } from 'react'
import { Icon } from '../Icon.tsx'
import { useKitText } from '../kit-text.tsx'
import { Menu } from '../Menu.tsx'
import { filterButton } from './FilterMenu.tsx'
import { SearchBox } from './SearchBox.tsx'
import type { Column, TableView } from './table-view.ts'

interface TableToolsProps<Row> {
  view: TableView<Row>
  columns: readonly Column<Row>[]
  cards: boolean
  searchLabel: string | undefined
  searchHint: string | undefined
  filters: ReactNode
  tools: ReactNode
}

/** The sort menu for cards, which have no column headers to click. */
function SortMenu<Row>({ view, columns }: Pick<TableToolsProps<Row>, 'view' | 'columns'>) {
  const text = useKitText()
  const { sort, onSort } = view
  const sortable = columns.filter(({ sortBy }) => sortBy !== undefined)
  if (onSort === undefined || sortable.length === 0) return null
  const now = sortable.find(({ key }) => key === sort?.column)?.header
  const arrow = sort?.descending === true ? '↓' : '↑'
  return (
    <Menu
      label={text('Sort by')}
      trigger={
        <>
          {now === undefined ? text('Sort by') : `${now} ${arrow}`}
          <Icon name="chevronDown" size={16} />
        </>
      }
      triggerClass={filterButton(now !== undefined)}
      items={sortable.map(({ key, header }) => ({
        label: key === sort?.column ? `${header} ${arrow}` : header,
        current: key === sort?.column,
        onSelect: () => onSort(key),
      }))}
    />
  )
}

/** The toolbar above the rows: search, filters, and actions on the whole list. */
export function TableTools<Row>({
  view,
  columns,
  cards,
  searchLabel,
  searchHint,
  filters,
  tools,
}: TableToolsProps<Row>) {
  const { search = '', onSearch } = view
  const hasSearch = onSearch !== undefined && searchLabel !== undefined
  const hintId = useId()
  const empty = (part: ReactNode) => part === undefined || part === null || part === false
  if (!(hasSearch || cards) && empty(filters) && empty(tools)) return null
  return (
    <div data-screen-only className="flex flex-wrap items-center gap-2 border-b border-border p-3">
      {hasSearch ? (
        <SearchBox
          label={searchLabel}
          text={search}
          onChange={onSearch}
          {...(searchHint === undefined ? {} : { describedBy: hintId })}
        />
      ) : null}
      {hasSearch && searchHint !== undefined ? (
        <p id={hintId} className="basis-full text-xs text-muted sm:order-last">
          {searchHint}
        </p>
      ) : null}
      {filters}
      {cards ? <SortMenu view={view} columns={columns} /> : null}
      {empty(tools) ? null : <div className="ms-auto flex items-center gap-2">{tools}</div>}
    </div>
  )
}

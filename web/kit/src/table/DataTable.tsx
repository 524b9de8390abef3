import { type ReactNode, useCallback, useRef } from 'react'
import { Button } from '../Button.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { useKitText } from '../kit-text.tsx'
import type { MenuItem } from '../Menu.tsx'
import { Status } from '../Status.tsx'
import { GatheringBar } from './GatheringBar.tsx'
import { LoadingRows } from './LoadingRows.tsx'
import { Pager } from './Pager.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { type RowKey, type Selection, useSelecting } from './selection.ts'
import { TableBody } from './TableBody.tsx'
import { TableHead } from './TableHead.tsx'
import { type Density, type RowProps, rowHeights, TableRow } from './TableRow.tsx'
import { TableTools } from './TableTools.tsx'
import { asTable } from './table-roles.ts'
import type { Column, TableView } from './table-view.ts'
import { type TableLayout, useTableLayout } from './use-table-layout.ts'

export interface DataTableProps<Row> {
  /** The accessible name: what the table lists. */
  label: string
  /** The first column names the row. Create them once: outside the component, or with `useMemo`. */
  columns: readonly Column<Row>[]
  view: TableView<Row>
  rowKey: (row: Row) => RowKey
  /** The row's name in the labels of its controls: `Select {row}`. */
  rowName: (row: Row) => string
  /** The page that a click on the row opens. */
  rowHref?: (row: Row) => string | undefined
  /** The row's menu; without entries there is no button. */
  rowMenu?: (row: Row) => readonly MenuItem[]
  selection?: Selection
  /** Buttons for the selected rows. */
  bulkActions?: ReactNode
  /** The label of the search box, if the view has search. */
  searchLabel?: string
  /** What can be searched, as a line under the search box. */
  searchHint?: string
  density?: Density
  /** For a list without selection and menus, on a phone: name, a value at the end of its line, and a second line. */
  phoneColumns?: readonly [Column<Row>, Column<Row>, Column<Row>]
  /** Filter menus next to the search box. */
  filters?: ReactNode
  /** Tools at the end of that line: print, export. */
  tools?: ReactNode
  /** Shown if there are no rows at all: an `EmptyState`. */
  empty: ReactNode
  /** One sentence that says where to find rows beyond the limit of a table that loads all rows. */
  beyond?: string
  /** Shown if loading failed: the shell's `LoadFailed`. */
  failed?: ReactNode
}

/** Estimated row height in CSS pixels before rows are drawn. */
const LINE_PX = 53
const DENSE_LINE_PX = 41
const TWO_LINES_PX = 61
const cardPx = (columns: number): number => 36 + 26 * columns

function Columns<Row>({ columns, select, menu }: { columns: readonly Column<Row>[]; select: boolean; menu: boolean }) {
  return (
    <colgroup>
      {select ? <col style={{ width: '3rem' }} /> : null}
      {columns.map(({ key, width }) => (
        <col key={key} {...(width === undefined ? {} : { style: { width } })} />
      ))}
      {menu ? <col style={{ width: '3.5rem' }} /> : null}
    </colgroup>
  )
}

/** Shown instead of a table without rows. */
function Instead<Row>({ view, empty, failed }: Pick<DataTableProps<Row>, 'view' | 'empty' | 'failed'>) {
  const text = useKitText()
  if (failed !== undefined && failed !== null) return failed
  if (!view.narrowed) return empty
  return (
    <Status>
      <EmptyState
        icon="search"
        title={text('No results match your search and filters')}
        action={
          view.onClear === undefined ? undefined : (
            <Button variant="secondary" onClick={view.onClear}>
              {text('Clear search and filters')}
            </Button>
          )
        }
      />
    </Status>
  )
}

interface GridProps<Row> extends DataTableProps<Row> {
  rows: readonly Row[] | undefined
  layout: TableLayout
  printing: boolean
}

interface BodyProps<Row> {
  rows: readonly Row[]
  first: number
  grid: GridProps<Row>
  parts: RowProps<Row>
  select: boolean
  selecting: ReturnType<typeof useSelecting<Row>>
}

function Body<Row>({ rows, first, grid, parts, select, selecting }: BodyProps<Row>) {
  const { rowKey, layout, printing } = grid
  const cards = layout === 'cards'
  const columns = parts.columns.length
  const linePx = parts.density === 'dense' ? DENSE_LINE_PX : LINE_PX
  const phonePx = parts.twoLines === true ? TWO_LINES_PX : cardPx(columns)
  const keyAt = useCallback(
    (index: number) => {
      const row = rows[index]
      return row === undefined ? index : rowKey(row)
    },
    [rows, rowKey],
  )
  return (
    <TableBody
      // Cards and rows differ in height.
      key={cards ? 'cards' : 'lines'}
      count={rows.length}
      keyAt={keyAt}
      rowHeight={cards ? phonePx : linePx}
      columns={columns + Number(select) + Number(parts.menu !== undefined)}
      isWhole={printing}
      className={cards ? 'block' : ''}
      draw={(index, rowProps) => {
        const row = rows[index]
        if (row === undefined) return null
        return (
          <TableRow
            row={row}
            rowProps={rowProps}
            index={first + index}
            parts={parts}
            cards={cards}
            selected={select ? selecting.isSelected(rowKey(row)) : undefined}
            onSelect={(on, withShift) => selecting.select(index, { on, withShift })}
          />
        )
      }}
    />
  )
}

/** If nothing is above it, the header follows the card's rounded corners. */
const firstOfCard =
  '[&:first-child>thead>tr>*:first-child]:rounded-ss-lg [&:first-child>thead>tr>*:last-child]:rounded-se-lg'

function shownColumns<Row>({ columns, phoneColumns, layout, printing }: GridProps<Row>): readonly Column<Row>[] {
  if (layout === 'cards' && phoneColumns !== undefined) return phoneColumns
  return columns.filter(({ minor }) => minor !== true || printing || layout !== 'narrow')
}

function Grid<Row>(props: GridProps<Row>) {
  const { label, view, rows, layout, printing } = props
  const text = useKitText()
  const cards = layout === 'cards'
  const columns = shownColumns(props)
  const twoLines = cards && props.phoneColumns !== undefined
  const select = props.selection !== undefined && !printing
  const rowMenu = printing ? undefined : props.rowMenu
  const menu = rowMenu !== undefined
  const { rowName: name, rowHref: href, density = 'regular' } = props
  const parts: RowProps<Row> = { columns, name, href, menu: rowMenu, density, twoLines }
  const selecting = useSelecting(rows ?? [], props.rowKey, props.selection)
  const lines = `w-full border-separate border-spacing-0 ${printing ? '' : 'table-fixed'} ${firstOfCard}`
  return (
    <table
      {...asTable}
      aria-label={label}
      aria-rowcount={view.total === undefined ? -1 : view.total + 1}
      aria-busy={rows === undefined || undefined}
      className={cards ? 'block' : lines}
    >
      <caption className="sr-only">{rows === undefined ? text('Loading {what}', { what: label }) : label}</caption>
      {cards || printing ? null : <Columns columns={columns} select={select} menu={menu} />}
      <TableHead
        columns={columns}
        hidden={cards}
        sort={view.sort}
        onSort={view.onSort}
        selected={select ? selecting.page : undefined}
        onSelect={selecting.selectPage}
        menu={menu}
      />
      {rows === undefined ? (
        <LoadingRows
          columns={columns.length}
          extra={Number(select) + Number(menu)}
          cards={cards}
          height={rowHeights[density]}
        />
      ) : (
        <Body rows={rows} first={view.first ?? 0} grid={props} parts={parts} select={select} selecting={selecting} />
      )}
    </table>
  )
}

/**
 * A table with search, filters, sorting, pages and selection: rows on a wide window, cards on a phone, all columns in print.
 * Screen readers get the same table in all three.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { view, columns, selection, failed } = props
  const place = useRef<HTMLDivElement>(null)
  const { layout, printing } = useTableLayout(place)
  const broken = failed !== undefined && failed !== null
  const isEmpty = broken || view.rows?.length === 0
  const bare = isEmpty && (broken || !view.narrowed)
  return (
    <div
      ref={place}
      className="rounded-lg border border-border bg-surface shadow-card print:border-0 print:shadow-none"
    >
      {bare ? null : (
        <TableTools
          view={view}
          columns={columns}
          cards={layout === 'cards'}
          searchLabel={props.searchLabel}
          searchHint={props.searchHint}
          filters={props.filters}
          tools={props.tools}
        />
      )}
      {isEmpty ? null : <GatheringBar view={view} beyond={props.beyond} />}
      {isEmpty ? (
        <Instead view={view} empty={props.empty} failed={failed} />
      ) : (
        <Grid {...props} rows={view.rows} layout={layout} printing={printing} />
      )}
      {selection === undefined || selection.selected.size === 0 ? null : (
        <SelectionBar view={view} rowKey={props.rowKey} selection={selection} actions={props.bulkActions} />
      )}
      {isEmpty ? null : <Pager view={view} />}
    </div>
  )
}

import type { ReactNode } from 'react'
import { Icon } from '../Icon.tsx'
import { useKitText } from '../kit-text.tsx'
import { Menu, type MenuItem } from '../Menu.tsx'
import type { WindowedRowProps } from '../windowing/use-windowing.tsx'
import { Checkbox } from './Checkbox.tsx'
import { asCell, asRow, asRowHeader } from './table-roles.ts'
import type { Column } from './table-view.ts'

export interface RowProps<Row> {
  readonly columns: readonly Column<Row>[]
  /** The row's name in the labels of its controls. */
  readonly name: (row: Row) => string
  /** The page that a click on the row opens. */
  readonly href?: ((row: Row) => string | undefined) | undefined
  readonly menu?: ((row: Row) => readonly MenuItem[]) | undefined
  readonly density?: Density | undefined
  /** On a phone, three columns as two lines, in place of a card. */
  readonly twoLines?: boolean
}

/** How high a row of a wide table is. `dense` shows more rows of a list that people scan. */
export type Density = 'regular' | 'dense'
export const rowHeights: Readonly<Record<Density, string>> = { regular: 'h-13', dense: 'h-10 pointer-coarse:h-11' }

interface TableRowProps<Row> {
  row: Row
  rowProps: WindowedRowProps
  /** The row's index over all pages, from 0. */
  index: number
  parts: RowProps<Row>
  cards: boolean
  /** Undefined without selection. */
  selected: boolean | undefined
  onSelect: (on: boolean, withShift: boolean) => void
}

/** The row's name; if it links to a page, the whole row is the link. */
function Name<Row>({ row, parts, children }: { row: Row; parts: RowProps<Row>; children: ReactNode }) {
  const href = parts.href?.(row)
  if (href === undefined) return children
  return (
    <a
      data-here
      href={href}
      className="font-medium after:absolute after:inset-0 hover:underline print:after:hidden focus-visible:outline-none focus-visible:after:rounded-sm focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
    >
      {children}
    </a>
  )
}

function RowMenu<Row>({ row, parts }: { row: Row; parts: RowProps<Row> }) {
  const text = useKitText()
  const items = parts.menu?.(row) ?? []
  if (items.length === 0) return null
  return (
    <Menu
      label={text('Actions for {row}', { row: parts.name(row) })}
      trigger={<Icon name="more" size={18} />}
      triggerClass="inline-flex size-10 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
      items={items}
    />
  )
}

// The row's controls are above the link that covers it.
const rowClass =
  'relative print:static [&_button]:relative [&_button]:z-1 [&_input]:relative [&_input]:z-1 [&_label]:relative [&_label]:z-1'

function Card<Row>({ row, rowProps, index, parts, selected, onSelect }: TableRowProps<Row>) {
  const text = useKitText()
  const [title, ...rest] = parts.columns
  return (
    <tr
      {...asRow}
      {...rowProps}
      aria-rowindex={index + 2}
      className={`${rowClass} block border-b border-border px-4 py-3 ${selected === true ? 'bg-tint' : ''}`}
    >
      {selected === undefined ? null : (
        <td {...asCell} className="absolute start-1.5 top-1">
          <Checkbox label={text('Select {row}', { row: parts.name(row) })} checked={selected} onChange={onSelect} />
        </td>
      )}
      {title === undefined ? null : (
        <th
          {...asRowHeader}
          className={`block text-start wrap-break-word ${selected === undefined ? '' : 'ps-8'} ${parts.menu === undefined ? '' : 'pe-10'}`}
        >
          <Name row={row} parts={parts}>
            {title.cell(row)}
          </Name>
        </th>
      )}
      {rest.map((column) => (
        <td key={column.key} {...asCell} className="mt-1.5 flex items-baseline justify-between gap-4">
          {/* Screen readers get the label from the column header. */}
          <span aria-hidden="true" className="shrink-0 text-muted">
            {column.header}
          </span>
          <span className="min-w-0 text-end wrap-break-word">{column.cell(row)}</span>
        </td>
      ))}
      {parts.menu === undefined ? null : (
        <td {...asCell} className="absolute end-1.5 top-1">
          <RowMenu row={row} parts={parts} />
        </td>
      )}
    </tr>
  )
}

function Line<Row>({ row, rowProps, index, parts, selected, onSelect }: TableRowProps<Row>) {
  const text = useKitText()
  const [title, ...rest] = parts.columns
  const mood = selected === true ? 'bg-tint' : 'hover:bg-sunken'
  const padding = parts.density === 'dense' ? 'py-1' : 'py-2'
  return (
    <tr
      {...asRow}
      {...rowProps}
      aria-rowindex={index + 2}
      className={`${rowClass} ${rowHeights[parts.density ?? 'regular']} *:border-b *:border-border print:h-auto print:break-inside-avoid ${selected === true || parts.href !== undefined ? mood : ''}`}
    >
      {selected === undefined ? null : (
        <td {...asCell} className="ps-1 print:hidden">
          <Checkbox label={text('Select {row}', { row: parts.name(row) })} checked={selected} onChange={onSelect} />
        </td>
      )}
      {title === undefined ? null : (
        <th {...asRowHeader} className={`px-3 ${padding} text-start font-normal wrap-break-word`}>
          <Name row={row} parts={parts}>
            {title.cell(row)}
          </Name>
        </th>
      )}
      {rest.map((column) => (
        <td
          key={column.key}
          {...asCell}
          className={`px-3 ${padding} wrap-break-word ${column.align === 'end' ? 'text-end tabular-nums' : ''}`}
        >
          {column.cell(row)}
        </td>
      ))}
      {parts.menu === undefined ? null : (
        <td {...asCell} className="pe-1.5 text-end print:hidden">
          <RowMenu row={row} parts={parts} />
        </td>
      )}
    </tr>
  )
}

/**
 * A row on a phone: name and one value on the first line, the third column on the second. Both lines end with an
 * ellipsis, so a long list stays easy to scan. Below the width of any phone, as at 400 % zoom, the second one wraps
 * instead: nothing is lost then (WCAG 1.4.10).
 */
function TwoLines<Row>({ row, rowProps, index, parts }: TableRowProps<Row>) {
  const [title, end, line] = parts.columns
  return (
    <tr
      {...asRow}
      {...rowProps}
      aria-rowindex={index + 2}
      className={`${rowClass} grid min-h-15 grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 gap-y-0.5 border-b border-border px-3 py-2`}
    >
      {title === undefined ? null : (
        <th {...asRowHeader} className="truncate text-start font-medium">
          <Name row={row} parts={parts}>
            {title.cell(row)}
          </Name>
        </th>
      )}
      {end === undefined ? null : (
        <td {...asCell} className="text-end">
          {end.cell(row)}
        </td>
      )}
      {line === undefined ? null : (
        <td
          {...asCell}
          className="col-span-2 truncate text-xs text-muted max-[21rem]:overflow-visible max-[21rem]:whitespace-normal max-[21rem]:wrap-anywhere"
        >
          {line.cell(row)}
        </td>
      )}
    </tr>
  )
}

/** One row, as a table row, two lines or a card. */
export function TableRow<Row>(props: TableRowProps<Row>) {
  if (!props.cards) return <Line {...props} />
  return props.parts.twoLines === true ? <TwoLines {...props} /> : <Card {...props} />
}

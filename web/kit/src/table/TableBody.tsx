import { Fragment, memo, type ReactNode, useRef } from 'react'
import { useWindowing, type WindowedRowProps } from '../windowing/use-windowing.tsx'
import { asRoom, asRowGroup } from './table-roles.ts'

interface DrawnRowProps {
  index: number
  rowProps: (index: number) => WindowedRowProps
  draw: (index: number, rowProps: WindowedRowProps) => ReactNode
}

/** Memoized, so that scrolling draws only new rows. */
const DrawnRow = memo(({ index, rowProps, draw }: DrawnRowProps) => draw(index, rowProps(index)))

function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr {...asRoom}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

interface TableBodyProps {
  count: number
  /** Must be stable while the rows are unchanged. */
  keyAt: (index: number) => string | number
  /** Estimated row height in CSS pixels until the row is measured. */
  rowHeight: number
  /** Number of cells per row. */
  columns: number
  /** Draws all rows, for printing. */
  isWhole: boolean
  className: string
  draw: DrawnRowProps['draw']
}

/** The rows of a table. In a long table only those near the window are drawn; the others reserve their space. */
export function TableBody({ columns, className, draw, ...rows }: TableBodyProps) {
  const list = useRef<HTMLTableSectionElement>(null)
  const { placed, after, rowProps, windowing } = useWindowing({ ...rows, list })
  return (
    <>
      {/* The library scrolls when a row is higher than estimated; the browser must not do so too. */}
      <tbody
        ref={list}
        {...asRowGroup}
        className={`${className} ${windowing === null ? '' : '[overflow-anchor:none]'}`}
      >
        {placed.map(({ index, gap }) => (
          <Fragment key={rows.keyAt(index)}>
            {gap === 0 ? null : <Gap height={gap} columns={columns} />}
            <DrawnRow index={index} rowProps={rowProps} draw={draw} />
          </Fragment>
        ))}
        {after === 0 ? null : <Gap height={after} columns={columns} />}
      </tbody>
      {windowing}
    </>
  )
}

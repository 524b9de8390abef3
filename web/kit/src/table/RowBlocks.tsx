import { type ReactNode, useEffect, useRef, useState } from 'react'
import { asRoom, asRowGroup } from './table-roles.ts'

/** Rows of a block: large enough that scrolling seldom meets a new one, small enough to be drawn within a frame. */
const BLOCK = 25
/** CSS pixels around the window within which rows are drawn. */
const AHEAD = 900

interface BlockProps {
  count: number
  /** CSS pixels that a row takes as long as none of the block was drawn. */
  rowHeight: number
  /** Drawn also while it is far away. */
  always: boolean
  columns: number
  className: string
  draw: () => ReactNode
}

function Block({ count, rowHeight, always, columns, className, draw }: BlockProps) {
  const ref = useRef<HTMLTableSectionElement>(null)
  const [near, setNear] = useState(false)
  const [height, setHeight] = useState<number>()
  useEffect(() => {
    const body = ref.current
    if (body === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        // Quick scrolling brings a block in and out again within one report.
        const entry = entries.at(-1)
        if (entry === undefined) return
        // Whoever works in a row keeps it, however far it was scrolled.
        if (!entry.isIntersecting && body.contains(document.activeElement)) return
        if (!entry.isIntersecting) setHeight(entry.boundingClientRect.height)
        setNear(entry.isIntersecting)
      },
      { rootMargin: `${AHEAD}px 0px` },
    )
    observer.observe(body)
    return () => observer.disconnect()
  }, [])
  return (
    <tbody ref={ref} {...asRowGroup} className={className}>
      {near || always ? (
        draw()
      ) : (
        <tr {...asRoom}>
          <td colSpan={columns} style={{ height: height ?? count * rowHeight }} />
        </tr>
      )}
    </tbody>
  )
}

interface RowBlocksProps {
  count: number
  rowHeight: number
  /** How many cells a row has. */
  columns: number
  /** Every row, near or not: on paper. */
  whole: boolean
  className: string
  draw: (index: number) => ReactNode
}

/** The bodies of a table with many rows: only those near the window are drawn, the others keep their place. */
export function RowBlocks({ count, rowHeight, columns, whole, className, draw }: RowBlocksProps) {
  const blocks = Array.from({ length: Math.ceil(count / BLOCK) }, (_, block) => block)
  return blocks.map((block) => {
    const from = block * BLOCK
    const size = Math.min(BLOCK, count - from)
    return (
      <Block
        key={block}
        count={size}
        rowHeight={rowHeight}
        // The first rows are there with the first paint, without waiting for what the browser sees.
        always={whole || block === 0}
        columns={columns}
        className={className}
        draw={() => Array.from({ length: size }, (_, index) => draw(from + index))}
      />
    )
  })
}

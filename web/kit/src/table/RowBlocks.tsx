import { type ReactNode, useEffect, useRef, useState } from 'react'
import { asRoom, asRowGroup } from './table-roles.ts'

/** Rows per block: enough that scrolling rarely reaches a new block, few enough to draw within a frame. */
const BLOCK = 25
/** Distance from the window, in CSS pixels, within which rows are drawn. */
const AHEAD = 900

interface BlockProps {
  count: number
  /** Estimated row height in CSS pixels until the block is drawn. */
  rowHeight: number
  /** Draws the block even if it is far away. */
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
        // During fast scrolling, one report can contain a block's entry and exit.
        const entry = entries.at(-1)
        if (entry === undefined) return
        // A row with the focus stays drawn, however far it is scrolled away.
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
  /** Number of cells per row. */
  columns: number
  /** Draws all rows, for printing. */
  whole: boolean
  className: string
  draw: (index: number) => ReactNode
}

/** The bodies of a table with many rows: only those near the window are drawn, the others reserve their space. */
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
        // The first rows appear with the first paint, without waiting for the observer.
        always={whole || block === 0}
        columns={columns}
        className={className}
        draw={() => Array.from({ length: size }, (_, index) => draw(from + index))}
      />
    )
  })
}

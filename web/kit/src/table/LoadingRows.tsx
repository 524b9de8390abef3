import { useAnnouncement } from '../announcements.ts'
import { useKitText } from '../kit-text.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { asRoom, asRowGroup } from './table-roles.ts'

const widths = ['w-3/4', 'w-1/2', 'w-2/3', 'w-1/3']
const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Loading that takes less is not announced. */
const DELAY_MS = 1000

interface LoadingRowsProps {
  columns: number
  extra: number
  cards: boolean
  /** A class: the height of a row. */
  height: string
}

/** The skeleton of rows that are loading. */
export function LoadingRows({ columns, extra, cards, height }: LoadingRowsProps) {
  useAnnouncement(useKitText()('Loading'), DELAY_MS)
  const cells = Array.from({ length: cards ? Math.min(3, columns) : columns }, (_, index) => index)
  return (
    <tbody {...asRowGroup} className={cards ? 'block' : ''}>
      {lines.map((line, row) => (
        <tr
          key={line}
          {...asRoom}
          className={cards ? 'block space-y-3 border-b border-border p-4' : `${height} *:border-b *:border-border`}
        >
          {cells.map((cell) => (
            <td key={cell} className={cards ? 'block' : 'px-3'}>
              <Skeleton className={`h-4 ${widths[(row + cell) % widths.length]}`} />
            </td>
          ))}
          {cards || extra === 0 ? null : <td colSpan={extra} />}
        </tr>
      ))}
    </tbody>
  )
}

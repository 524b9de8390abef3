import { Skeleton } from '@sightline/kit'
import { useEffect, useRef, useState } from 'react'
import type { BarChart } from './draw-bars.ts'

type Draw = typeof import('./draw-bars.ts').drawBars

/** The chart code; undefined until it has loaded, or if loading fails. */
function useDraw(): Draw | undefined {
  const [draw, setDraw] = useState<Draw>()
  useEffect(() => {
    import('./draw-bars.ts').then(
      ({ drawBars }) => setDraw(() => drawBars),
      // The table next to the chart has the same figures.
      () => undefined,
    )
  }, [])
  return draw
}

/** Counts the changes between light and dark, because a canvas keeps the colors it was drawn in. */
function useSchemeChanges(): number {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    const note = () => setChanges((count) => count + 1)
    const system = matchMedia('(prefers-color-scheme: dark)')
    const chosen = new MutationObserver(note)
    system.addEventListener('change', note)
    chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-scheme'] })
    return () => {
      system.removeEventListener('change', note)
      chosen.disconnect()
    }
  }, [])
  return changes
}

/** One chart, in the current colors. */
function Canvas({ draw, content }: { draw: Draw; content: string }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const into = frame.current
    if (into === null) return
    const drawn = draw(into, JSON.parse(content) as BarChart)
    const size = new ResizeObserver(([entry]) => drawn.resize(entry?.contentRect.width ?? into.clientWidth))
    size.observe(into)
    return () => {
      size.disconnect()
      drawn.destroy()
    }
  }, [draw, content])
  return <div ref={frame} className="min-w-0" />
}

/** A bar chart, hidden from screen readers, because a table next to it has the same figures. */
export function Bars(chart: BarChart) {
  const draw = useDraw()
  const scheme = useSchemeChanges()
  return (
    <div aria-hidden dir="ltr" className="h-55 min-w-0 overflow-hidden">
      {draw === undefined ? (
        <Skeleton className="h-full w-full" />
      ) : (
        <Canvas key={scheme} draw={draw} content={JSON.stringify(chart)} />
      )}
    </div>
  )
}

import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { drawTimeline, type TimelineColours, type TimelineLook, type TimelineRow } from './draw-timeline.ts'

const variables: Readonly<Record<keyof TimelineColours, string>> = {
  track: '--tone-sunken',
  recorded: '--tone-control',
  gap: '--tone-danger',
  text: '--tone-text',
  muted: '--tone-muted',
  line: '--tone-border',
  playhead: '--tone-text',
  now: '--tone-success',
}

function readColours(element: Element): TimelineColours {
  const style = getComputedStyle(element)
  const colours = Object.entries(variables).map(([name, variable]) => [name, style.getPropertyValue(variable)])
  return Object.fromEntries(colours) as Record<keyof TimelineColours, string>
}

/** A counter that increases when the color scheme changes, so that the canvas is redrawn. */
function useScheme(): number {
  const [version, setVersion] = useState(0)
  useEffect(() => {
    const changed = () => setVersion((before) => before + 1)
    const media = matchMedia('(prefers-color-scheme: dark)')
    media.addEventListener('change', changed)
    const observer = new MutationObserver(changed)
    observer.observe(document.documentElement, { attributeFilter: ['data-scheme'] })
    return () => {
      media.removeEventListener('change', changed)
      observer.disconnect()
    }
  }, [])
  return version
}

/** Size of an element in CSS pixels; 0 before layout. */
export function useSize(ref: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return size
}

/** Redraws the timeline when any of its data changes, at the screen's resolution. */
export function useCanvas(
  ref: RefObject<HTMLCanvasElement | null>,
  rows: readonly TimelineRow[],
  look: TimelineLook,
): void {
  const scheme = useScheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme changes what the colour variables say.
  useEffect(() => {
    const canvas = ref.current
    const context = canvas?.getContext('2d')
    if (canvas === null || context === null || context === undefined || look.width === 0) return
    const ratio = window.devicePixelRatio
    canvas.width = Math.round(look.width * ratio)
    canvas.height = Math.round(look.height * ratio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    drawTimeline(context, rows, look, readColours(canvas))
  }, [ref, rows, look, scheme])
}

import type { LineColours } from './draw.ts'
import type { PixelColours } from './strips.ts'

const lines: Readonly<Record<keyof LineColours, string>> = {
  text: '--tone-text',
  muted: '--tone-muted',
  line: '--tone-border',
  playhead: '--tone-text',
  now: '--tone-success',
  mark: '--tone-focus',
  surface: '--tone-surface',
}

const pixels: Readonly<Record<keyof PixelColours, string>> = {
  track: '--tone-sunken',
  recorded: '--tone-control',
  event: '--tone-warning',
  fault: '--tone-danger',
  pattern: '--tone-muted',
  locked: '--tone-text',
  line: '--tone-border',
}

/** What the canvas draws with, from the theme at that element. */
export function readColours(element: Element): { readonly lines: LineColours; readonly pixels: PixelColours } {
  const style = getComputedStyle(element)
  const ofLines = Object.entries(lines).map(([name, variable]) => [name, style.getPropertyValue(variable)])
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const ofPixels = Object.entries(pixels).map(([name, variable]) => [
    name,
    pixelOf(context, style.getPropertyValue(variable)),
  ])
  return {
    lines: Object.fromEntries(ofLines) as Record<keyof LineColours, string>,
    pixels: Object.fromEntries(ofPixels) as Record<keyof PixelColours, number>,
  }
}

/** Any CSS color as an opaque pixel. */
function pixelOf(context: OffscreenCanvasRenderingContext2D | null, colour: string): number {
  if (context === null) return 0xff_80_80_80
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

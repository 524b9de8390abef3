/** A color as brands write it and CSS reads it: `#rrggbb`, lower case. */
export type Hex = `#${string}`

/** OKLCH (Björn Ottosson, 2020): lightness 0-1, chroma 0-0.37 within sRGB, hue in degrees. */
export interface Oklch {
  readonly l: number
  readonly c: number
  readonly h: number
}

type Triple = readonly [number, number, number]

const toLinear = (channel: number): number =>
  channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
const fromLinear = (light: number): number =>
  light <= 0.003_130_8 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055

function linearRgb(hex: Hex): Triple {
  const bits = Number.parseInt(hex.slice(1), 16)
  return [toLinear((bits >> 16) / 255), toLinear(((bits >> 8) & 255) / 255), toLinear((bits & 255) / 255)]
}

export function toOklch(hex: Hex): Oklch {
  const [r, g, b] = linearRgb(hex)
  const long = Math.cbrt(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b)
  const medium = Math.cbrt(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b)
  const short = Math.cbrt(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b)
  const l = 0.210_454_255_3 * long + 0.793_617_785 * medium - 0.004_072_046_8 * short
  const a = 1.977_998_495_1 * long - 2.428_592_205 * medium + 0.450_593_709_9 * short
  const bb = 0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766 * short
  return { l, c: Math.hypot(a, bb), h: (Math.atan2(bb, a) * 180) / Math.PI }
}

function oklchToLinear({ l, c, h }: Oklch): Triple {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.396_337_777_4 * a + 0.215_803_757_3 * b) ** 3
  const medium = (l - 0.105_561_345_8 * a - 0.063_854_172_8 * b) ** 3
  const short = (l - 0.089_484_177_5 * a - 1.291_485_548 * b) ** 3
  return [
    4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
    -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
    -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701 * short,
  ]
}

const inGamut = (rgb: Triple): boolean => rgb.every((light) => light >= -0.0005 && light <= 1.0005)

/** The sRGB color with that lightness and hue and as much of the chroma as sRGB can show. */
export function toHex(colour: Oklch): Hex {
  let rgb = oklchToLinear(colour)
  if (!inGamut(rgb)) {
    let shown = 0
    let tooMuch = colour.c
    for (let step = 0; step < 12; step++) {
      const c = (shown + tooMuch) / 2
      if (inGamut(oklchToLinear({ ...colour, c }))) shown = c
      else tooMuch = c
    }
    rgb = oklchToLinear({ ...colour, c: shown })
  }
  const bytes = rgb.map((light) => Math.round(fromLinear(Math.min(1, Math.max(0, light))) * 255))
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function luminance(hex: Hex): number {
  const [r, g, b] = linearRgb(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast ratio 1-21 of two colors (WCAG 2.2 §1.4.3). */
export function contrast(one: Hex, other: Hex): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** The lowest contrast of `colour` with any of these backgrounds. */
export const leastContrast = (colour: Hex, backgrounds: readonly Hex[]): number =>
  Math.min(...backgrounds.map((background) => contrast(colour, background)))

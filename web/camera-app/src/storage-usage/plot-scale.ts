/** Round steps of a scale from 0 to at least `most`, the top one last; at most four above 0. */
export function byteScale(most: number): readonly number[] {
  if (most <= 0) return [0]
  const rough = most / 4
  const ten = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * ten >= rough) ?? 10) * ten
  const count = Math.ceil(most / step)
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

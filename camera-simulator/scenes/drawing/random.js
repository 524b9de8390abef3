/**
 * A repeatable source of numbers in [0, 1) (mulberry32): every render of a scene draws the same picture.
 */
export function seededRandom(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    pick: (list) => list[Math.floor(next() * list.length)],
  }
}

/** The n-th of a well spread series of points in the unit square (R2 sequence), for sampling pixels and lights. */
export function spreadPoint(n) {
  return [(0.5 + n * 0.754_877_666_246_692_7) % 1, (0.5 + n * 0.569_840_290_998_053_2) % 1]
}

/** Smooth noise in about -1..1 on a lattice that repeats after `period` cells in both directions. */
export function tilingNoise(seed, period) {
  const random = seededRandom(seed)
  const lattice = Float32Array.from({ length: period * period }, () => random.next() * 2 - 1)
  const at = (x, y) => lattice[(((y % period) + period) % period) * period + (((x % period) + period) % period)]
  return (x, y) => {
    const left = Math.floor(x)
    const top = Math.floor(y)
    const u = (x - left) ** 2 * (3 - 2 * (x - left))
    const v = (y - top) ** 2 * (3 - 2 * (y - top))
    const upper = at(left, top) * (1 - u) + at(left + 1, top) * u
    const lower = at(left, top + 1) * (1 - u) + at(left + 1, top + 1) * u
    return upper * (1 - v) + lower * v
  }
}

/** Noise of several octaves over the unit square, repeating at its edges. */
export function tilingClouds(seed, { cells, octaves }) {
  const layers = Array.from({ length: octaves }, (_, i) => tilingNoise(seed + i * 101, cells * 2 ** i))
  return (u, v) =>
    layers.reduce((sum, layer, i) => sum + layer(u * cells * 2 ** i, v * cells * 2 ** i) / 2 ** (i + 1), 0)
}

const sampleRate = 16_000
const seconds = 16
const length = sampleRate * seconds

/** A repeatable source of noise in -1..1 (xorshift). */
function noiseFrom(seed) {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state / 2_147_483_648
  }
}

/** Noise between two frequencies (Hz), run twice round the loop so that its end meets its beginning. */
function band(seed, { low, high, loudness, swell = () => 1 }) {
  const source = noiseFrom(seed)
  const raw = Float32Array.from({ length }, source)
  const [keepLow, keepHigh] = [low, high].map((hertz) => 1 - Math.exp((-2 * Math.PI * hertz) / sampleRate))
  let [slow, fast, fast2] = [0, 0, 0]
  const out = new Float32Array(length)
  for (let i = 0; i < length * 2; i++) {
    const n = i % length
    fast += (raw[n] - fast) * keepHigh
    fast2 += (fast - fast2) * keepHigh
    slow += (fast2 - slow) * keepLow
    out[n] = (fast2 - slow) * loudness * swell(n / sampleRate)
  }
  return out
}

/** A tone with a whole number of waves in the loop. */
const hum = (hertz, loudness) =>
  Float32Array.from({ length }, (_, i) => Math.sin((2 * Math.PI * Math.round(hertz * seconds) * i) / length) * loudness)

/** Fades in and out around `at` seconds, `width` seconds wide, even across the end of the loop. */
const passing = (at, width) => (t) => {
  const away = Math.min(Math.abs(t - at), seconds - Math.abs(t - at))
  return Math.exp(-((away / width) ** 2))
}

/** Footsteps from `since` to `till`: short dull thuds, louder in the middle. */
function footsteps(seed, { since, till, everySeconds, loudness, pitch }) {
  const noise = noiseFrom(seed)
  const out = new Float32Array(length)
  for (let at = since; at < till; at += everySeconds * (1 + 0.04 * noise())) {
    const near = Math.sin((Math.PI * (at - since)) / (till - since)) ** 0.6
    let filtered = 0
    for (let i = 0; i < sampleRate * 0.09; i++) {
      const t = i / sampleRate
      filtered += (noise() - filtered) * pitch
      out[(Math.round(at * sampleRate) + i) % length] += filtered * Math.exp(-t * 55) * loudness * near
    }
  }
  return out
}

/** Voices too far away to understand: bands of speech pitch that open and close like syllables. */
function murmur(seed, loudness) {
  const voices = [190, 260, 420, 700].map((low, i) => {
    const [rate, phase] = [Math.round((2.3 + i * 0.7) * seconds) / seconds, i * 1.7]
    const swell = (t) =>
      Math.max(0, Math.sin(2 * Math.PI * rate * t + phase)) *
      (0.6 + 0.4 * Math.sin((2 * Math.PI * (i + 1) * t) / seconds + phase))
    return band(seed + i, { low, high: low * 1.5, loudness: loudness * (1 - i * 0.15), swell })
  })
  return mix(...voices)
}

/** Two tones of a cash desk or a lift. */
function chime(at, [first, second], loudness) {
  const out = new Float32Array(length)
  for (const [offset, hertz] of [
    [0, first],
    [0.28, second],
  ])
    for (let i = 0; i < sampleRate * 0.8; i++)
      out[(Math.round((at + offset) * sampleRate) + i) % length] +=
        Math.sin((2 * Math.PI * hertz * i) / sampleRate) * Math.exp((-i / sampleRate) * 5) * loudness
  return out
}

const mix = (...tracks) => tracks.reduce((sum, track) => sum.map((value, i) => value + track[i]))

const ambiences = {
  'car-park': () =>
    mix(
      band(11, { low: 40, high: 260, loudness: 0.8 }),
      band(12, {
        low: 900,
        high: 3200,
        loudness: 0.1,
        swell: (t) => 1 + 0.5 * Math.sin((2 * Math.PI * 2 * t) / seconds),
      }),
      band(13, { low: 60, high: 420, loudness: 2, swell: passing(4.5, 2) }),
      band(14, { low: 60, high: 480, loudness: 2.6, swell: passing(14.5, 2.2) }),
      footsteps(15, { since: 4, till: 12, everySeconds: 0.53, loudness: 0.25, pitch: 0.3 }),
    ),
  'shop-floor': () =>
    mix(
      hum(100, 0.012),
      hum(200, 0.006),
      band(21, { low: 80, high: 500, loudness: 0.7 }),
      murmur(22, 1.4),
      footsteps(23, { since: 1, till: 6, everySeconds: 0.55, loudness: 0.2, pitch: 0.45 }),
      band(24, {
        low: 1500,
        high: 4000,
        loudness: 0.35,
        swell: (t) => passing(15, 3)(t) * (0.6 + 0.4 * Math.sin(2 * Math.PI * 11 * t)),
      }),
      chime(11.5, [880, 880], 0.02),
    ),
  corridor: () =>
    mix(
      hum(100, 0.006),
      band(31, { low: 90, high: 700, loudness: 0.6 }),
      footsteps(32, { since: 2, till: 11.5, everySeconds: 0.54, loudness: 0.3, pitch: 0.12 }),
      band(33, {
        low: 300,
        high: 1400,
        loudness: 0.7,
        swell: (t) => passing(10, 3)(t) * (0.7 + 0.3 * Math.sin(2 * Math.PI * 9 * t)),
      }),
    ),
  entrance: () =>
    mix(
      band(41, { low: 60, high: 400, loudness: 0.7 }),
      band(42, { low: 50, high: 900, loudness: 1, swell: (t) => passing(3.9, 2.5)(t) + passing(15, 1.4)(t) }),
      band(43, {
        low: 500,
        high: 1800,
        loudness: 0.7,
        swell: (t) => passing(1.4, 0.4)(t) + passing(6.4, 0.5)(t) + passing(13.8, 0.4)(t),
      }),
      murmur(44, 0.6),
      footsteps(45, { since: 6, till: 14.5, everySeconds: 0.5, loudness: 0.35, pitch: 0.6 }),
      chime(8.8, [660, 528], 0.03),
    ),
}

/** The sound of a scene: 16 s that loop, signed 16 bit little endian, mono, 16 kHz. */
export function makeAmbience(scene) {
  const sound = ambiences[scene]()
  const samples = Buffer.alloc(length * 2)
  for (const [i, value] of sound.entries()) samples.writeInt16LE(Math.round(Math.tanh(value) * 30_000), i * 2)
  return samples
}

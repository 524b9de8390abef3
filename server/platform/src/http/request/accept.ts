/** How exactly a range of an Accept header matches JSON; 0 means no match. */
function exactness(range: string): number {
  if (range === 'application/json') return 3
  if (range === 'application/*') return 2
  return range === '*/*' ? 1 : 0
}

/** Whether an Accept header leaves room for JSON: the range that names it most exactly decides (RFC 9110 §12.5.1). */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true
  let best = { exactness: 0, isWanted: false }
  for (const part of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim())
    const exact = exactness(range)
    const isWanted = !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
    if (exact > best.exactness) best = { exactness: exact, isWanted }
  }
  return best.isWanted
}

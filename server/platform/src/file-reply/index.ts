/** How files are sent: parts of them, and under which name. */

/** Bytes of a file; `till` isn't included. */
export interface ByteRange {
  readonly from: number
  readonly till: number
}

/** One range of bytes (RFC 9110 §14.1.2); several, and what can't be read, count as none. */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (found === null || (found[1] === '' && found[2] === '')) return undefined
  const [first, last] = [found[1] ?? '', found[2] ?? '']
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const till = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return from < till ? { from, till } : 'unsatisfiable'
}

/** A `Content-Disposition` (RFC 6266): a name that any header can carry, and the name itself. `ending` is that of the file, as `mp4`. */
export function attachment(name: string, ending: string): string {
  const safe = name.slice(0, 120).replaceAll(/[^\p{L}\p{M}\p{N} ._-]/gu, '_')
  const plain = safe.normalize('NFKD').replaceAll(/[^\x20-\x7e]/g, '_')
  return `attachment; filename="${plain}.${ending}"; filename*=UTF-8''${encodeURIComponent(safe)}.${ending}`
}

/** Path and query of a request's target. Only the first question mark parts them; the next ones are part of the query (RFC 3986 §3.4). */
export function cutTarget(target: string | undefined): { readonly path: string; readonly query: string } {
  const whole = target ?? '/'
  const mark = whole.indexOf('?')
  return mark === -1 ? { path: whole, query: '' } : { path: whole.slice(0, mark), query: whole.slice(mark + 1) }
}

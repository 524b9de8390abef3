const LEVEL_MARK: Readonly<Record<string, string>> = { debug: '·', info: ' ', warn: '!', error: '✗' }

/** One JSON line as a person wants it: `10:02:11   media-1  camera is online  cameraId=7`, an error's stack below. */
export function readable(line: string): string {
  const parsed: unknown = JSON.parse(line)
  if (typeof parsed !== 'object' || parsed === null) return line
  const { level, time, name, msg, err, pid: _pid, hostname: _hostname, ...fields } = parsed as Record<string, unknown>
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const rest = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const words = [clock, LEVEL_MARK[String(level)] ?? ' ', String(name ?? ''), String(msg ?? ''), ...rest]
  return `${words.filter((word) => word !== '').join(' ')}\n${err === undefined ? '' : readableError(err)}`
}

function readableError(err: unknown): string {
  const lines: string[] = []
  for (let next = err; typeof next === 'object' && next !== null; next = 'cause' in next ? next.cause : undefined) {
    const text = 'stack' in next ? next.stack : JSON.stringify(next)
    lines.push(`${lines.length === 0 ? '' : 'because of '}${String(text)}`)
  }
  return lines.map((text) => `${text.replaceAll(/^/gm, '    ')}\n`).join('')
}

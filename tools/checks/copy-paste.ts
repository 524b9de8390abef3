// Copied code: where, and how much of the whole. The limit is the threshold in .jscpd.json.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readJson } from './tree.ts'
import { report } from './verdict.ts'

interface Place {
  readonly name: string
  readonly start: number
  readonly end: number
}
interface Found {
  readonly duplicates: readonly { readonly lines: number; readonly firstFile: Place; readonly secondFile: Place }[]
  readonly statistics: { readonly total: { readonly percentage: number; readonly duplicatedLines: number } }
}

const { threshold } = readJson('.jscpd.json') as { threshold: number }
const output = mkdtempSync(join(tmpdir(), 'copy-paste-'))
try {
  const folders = ['contract', 'server', 'web', 'camera-simulator', 'bridge', 'tools'].filter((folder) =>
    existsSync(folder),
  )
  const args = [...folders, '--config', '.jscpd.json', '--reporters', 'json', '--output', output]
  const ran = spawnSync('node_modules/.bin/jscpd', args, { encoding: 'utf8', maxBuffer: 1e8 })
  const file = join(output, 'jscpd-report.json')
  if (existsSync(file)) report(problems(readJson(file) as Found))
  else report([`jscpd made no report (exit ${ran.status}): ${ran.stderr}${ran.stdout}`])
} finally {
  rmSync(output, { recursive: true, force: true })
}

function problems({ duplicates, statistics }: Found): readonly string[] {
  const { percentage, duplicatedLines } = statistics.total
  console.log(`${percentage} % of the lines are copies (${duplicatedLines} lines), ${threshold} % are tolerated`)
  if (percentage <= threshold) return []
  const worst = [...duplicates].sort((a, b) => b.lines - a.lines).slice(0, 15)
  const where = ({ name, start, end }: Place): string => `${name}:${start}-${end}`
  return [
    `${percentage} % of the lines are copies; more than ${threshold} %`,
    ...worst.map(
      ({ lines, firstFile, secondFile }) => `   ${lines} lines: ${where(firstFile)} and ${where(secondFile)}`,
    ),
  ]
}

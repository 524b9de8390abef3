import { describeFinding, getKeyId } from '@sightline/platform/audit-chain'
import type { VerifyRun } from './command.ts'

/** What was verified, with counts, and what was found; for an operator. */
export function reportText({ report, file, publicKey, tookMs }: VerifyRun): string {
  const { chains, checkpoints, unsealed, findings, findingCount } = report
  const seconds = tookMs / 1000
  const { newest } = checkpoints
  const lines = [
    `Verified ${many(chains.lines, 'line')} in ${many(chains.chains, 'chain')} in ${seconds.toFixed(1)} s.`,
    chains.erased > 0 &&
      `  ${many(chains.erased, 'line')} without personal values any more; all else is as it was sealed.`,
    chains.uncovered > 0 &&
      `  ${many(chains.uncovered, 'line')} sealed since the newest checkpoint, which does not vouch for them.`,
    unsealed.waiting > 0 && `  ${many(unsealed.waiting, 'line')} waiting to be sealed.`,
    `Checkpoints: ${number(checkpoints.inDatabase)} in the database, ${number(checkpoints.inFile)} in ${file}; ${many(checkpoints.heads, 'signed end')} of chains looked up.`,
    newest !== undefined &&
      `  The newest is ${newest.number} of ${new Date(newest.at).toISOString()}, SHA-256 ${newest.sha256}.`,
    `  Key ${getKeyId(publicKey)}.`,
    ...findings.map((finding) => `! ${describeFinding(finding)}`),
    findingCount > findings.length && `! and ${number(findingCount - findings.length)} more`,
    findingCount === 0 ? 'Nothing was changed, removed, added or reordered.' : `${many(findingCount, 'finding')}.`,
  ]
  return lines
    .filter((line) => line !== false)
    .map((line) => `${line}\n`)
    .join('')
}

const number = (value: number): string => value.toLocaleString('en')
const many = (count: number, what: string): string => `${number(count)} ${what}${count === 1 ? '' : 's'}`

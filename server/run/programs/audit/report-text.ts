import { describeFinding } from '@sightline/platform/audit-chain'
import { getKeyId } from '@sightline/platform/signed-line'
import type { VerifyRun } from './command.ts'

/** The verification report for operators: the checked parts with counts, and the findings. */
export function reportText({ report, file, publicKey, tookMs }: VerifyRun): string {
  const { chains, checkpoints, unsealed, findings, findingCount } = report
  const seconds = tookMs / 1000
  const { newest } = checkpoints
  const lines = [
    `Verified ${entries(chains.lines)} in ${many(chains.chains, 'chain')} in ${seconds.toFixed(1)} s.`,
    chains.erased > 0 && `  ${entries(chains.erased)} with personal data erased; everything else is unchanged.`,
    chains.uncovered > 0 && `  ${entries(chains.uncovered)} newer than the last checkpoint and not covered by it.`,
    unsealed.waiting > 0 && `  ${entries(unsealed.waiting)} waiting to be added to the chain.`,
    `Checkpoints: ${number(checkpoints.inDatabase)} in the database, ${number(checkpoints.inFile)} in ${file}; ${many(checkpoints.heads, 'signed chain end')} verified.`,
    newest !== undefined &&
      `  Newest: ${newest.number}, created ${new Date(newest.at).toISOString()}, SHA-256 ${newest.sha256}.`,
    `  Key ${getKeyId(publicKey)}.`,
    ...findings.map((finding) => `! ${describeFinding(finding)}`),
    findingCount > findings.length && `! and ${number(findingCount - findings.length)} more`,
    findingCount === 0 ? 'No entry was changed, removed, added or reordered.' : `${many(findingCount, 'finding')}.`,
  ]
  return lines
    .filter((line) => line !== false)
    .map((line) => `${line}\n`)
    .join('')
}

const number = (value: number): string => value.toLocaleString('en')
const entries = (count: number): string => `${number(count)} ${count === 1 ? 'entry' : 'entries'}`
const many = (count: number, what: string): string => `${number(count)} ${what}${count === 1 ? '' : 's'}`

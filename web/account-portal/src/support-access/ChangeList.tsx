import type { AuditLog } from '@sightline/contract/audit-logs'
import { differences, valueWords } from '@sightline/shell/audit-difference'
import { fieldText } from './field-texts.ts'
import { useMoment } from './moments.ts'
import { useSupportText } from './text.ts'

/** More of them stand in the audit log. */
const MAX_CHANGES = 5

/** What a change made of what was there; nothing for what only added, removed or looked. */
export function ChangeList({ line }: { line: AuditLog }) {
  const t = useSupportText()
  const moment = useMoment()
  if ((line.before ?? null) === null || (line.after ?? null) === null) return null
  const changes = differences(line.before, line.after)
  if (changes.length === 0) return null
  const words = { yes: t('Yes'), no: t('No'), nothing: '–', when: (time: Date) => moment(time.getTime()) }
  const hidden = changes.length - MAX_CHANGES
  return (
    <ul className="mt-1">
      {changes.slice(0, MAX_CHANGES).map(({ field, before, after }) => (
        <li key={field}>
          {t('{field}: {before} → {after}', {
            field: fieldText(field, t),
            before: valueWords(before, words),
            after: valueWords(after, words),
          })}
        </li>
      ))}
      {hidden > 0 ? <li className="text-muted">{t('{count} more changes', { count: hidden })}</li> : null}
    </ul>
  )
}

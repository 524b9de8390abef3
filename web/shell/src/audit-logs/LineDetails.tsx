import { Button, type Detail, Details, Dialog } from '@sightline/kit'
import { type Difference, differences, fieldWords, valueWords } from '../audit-difference.ts'
import { actionLabel } from './action-labels.ts'
import type { LogEntry, LogKind } from './audit-source.ts'
import { SignatureState, Target, targetName, Who } from './entry-cells.tsx'
import { useText } from './text.ts'

type When = (time: string | Date) => string

/** One value per row, old and new side by side. */
function Changes({ changes, when }: { changes: readonly Difference[]; when: When }) {
  const t = useText()
  const words = { yes: t('Yes'), no: t('No'), nothing: '–', when }
  const cell = 'border-b border-border py-2 pe-3 align-top wrap-anywhere'
  return (
    <table className="w-full table-fixed text-start">
      <caption className="mb-1 text-start font-medium">{t('Changes')}</caption>
      <thead className="text-xs text-muted">
        <tr>
          {(['Field', 'Before', 'After'] as const).map((head) => (
            <th key={head} scope="col" className={`${cell} text-start font-normal`}>
              {t(head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row" className={`${cell} text-start font-normal`}>
              {t.message(fieldWords(field))}
            </th>
            <td className={`${cell} text-muted`}>{valueWords(before, words)}</td>
            <td className={cell}>{valueWords(after, words)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface EverythingProps {
  line: LogEntry
  actsAs: string | undefined
  when: When
  kind: LogKind
}

function Everything({ line, actsAs, when, kind }: EverythingProps) {
  const t = useText()
  const changes = differences(line.before, line.after)
  const details: readonly (Detail | false)[] = [
    { label: t('Time'), value: when(line.time) },
    { label: t('User'), value: <Who line={line} kind={kind} /> },
    line.staff !== null && actsAs !== undefined && kind === 'account' && { label: t('Acted as'), value: actsAs },
    (line.target !== null || targetName(line) !== '') && {
      label: t('Target'),
      value: <Target line={line} kind={kind} />,
    },
    line.address !== null && { label: t('IP address'), value: <bdi dir="ltr">{line.address}</bdi> },
    line.clientId !== null && { label: t('App'), value: <bdi dir="ltr">{line.clientId}</bdi> },
    { label: t('Sealed'), value: <SignatureState line={line} /> },
  ]
  return (
    <div className="mt-4 space-y-5">
      <Details details={details.filter((detail) => detail !== false)} />
      {changes.length === 0 ? null : <Changes changes={changes} when={when} />}
      {line.sealed ? null : (
        <p className="text-xs text-muted">
          {t('Entries are sealed within seconds. After that, any change can be detected.')}
        </p>
      )}
    </div>
  )
}

interface LineDetailsProps {
  line: LogEntry | undefined
  /** The user for whom support acted, if that person is known. */
  actsAs: string | undefined
  when: When
  kind: LogKind
  onClose: () => void
}

/** All details of one entry. */
export function LineDetails({ line, actsAs, when, kind, onClose }: LineDetailsProps) {
  const t = useText()
  const words = line === undefined ? undefined : actionLabel(line.action, kind)
  return (
    <Dialog
      open={line !== undefined}
      onClose={onClose}
      title={words === undefined ? (line?.action ?? '') : t(words)}
      footer={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      {line === undefined ? null : <Everything line={line} actsAs={actsAs} when={when} kind={kind} />}
    </Dialog>
  )
}

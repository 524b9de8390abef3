import { ApiFailure, type Client } from '@sightline/client'
import type { ManagedUser } from '@sightline/contract/sub-users'
import { Button, ConfirmDialog, Dialog, Icon, ProgressBar } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useState } from 'react'
import type { OwnPermissions } from '../rights/index.ts'
import { refetchUser } from './people-queries.ts'
import { displayName, guardTexts } from './person-marks.tsx'
import { type Text, useText } from './text.ts'
import { isPossible, makeChange } from './UserActions.tsx'

type Change = 'block' | 'unblock' | 'delete'
const changes = ['block', 'unblock', 'delete'] as const

const words: Readonly<Record<Change, { label: Text; title: Text; body: Text }>> = {
  block: {
    label: 'Block',
    title: 'Block the selected users ({count})?',
    body: "They're signed out everywhere immediately and can't sign in until you unblock them. They keep their rights and cameras.",
  },
  unblock: {
    label: 'Unblock',
    title: 'Unblock the selected users ({count})?',
    body: "They'll be able to sign in again with the same rights and cameras.",
  },
  delete: {
    label: 'Delete',
    title: 'Delete the selected users ({count})?',
    body: "They lose access immediately. Their sign-ins, rights and camera access are deleted. You can't undo this. The audit log keeps their names and activity.",
  },
}

/** The result for one user; `refused` is the reason for a failure. */
interface Outcome {
  readonly person: ManagedUser
  readonly refused: string | undefined
}

async function changed(client: Client, change: Change, person: ManagedUser): Promise<Outcome> {
  try {
    await makeChange(client, change, person.userId)
    return { person, refused: undefined }
  } catch (failure) {
    if (failure instanceof ApiFailure) return { person, refused: failure.message }
    throw failure
  }
}

interface BulkChanges {
  readonly people: readonly ManagedUser[]
  readonly own: OwnPermissions
  /** Called after all changes were tried. */
  readonly onDone: () => void
}

const done = (outcome: Outcome): boolean => outcome.refused === undefined

/**
 * Blocks, unblocks or deletes all selected users and reports the result for each. The buttons disappear with the
 * selection; the dialogs stay.
 */
export function useBulkChanges({ people, own, onDone }: BulkChanges) {
  const { client, queries, snackBar } = useApplication()
  const t = useText()
  const [asked, ask] = useState<Change>()
  const [progress, setProgress] = useState<{ outcomes: readonly Outcome[]; total: number }>()
  const possible = (change: Change) => people.filter((person) => isPossible(change, person, own))
  const act = async (change: Change) => {
    ask(undefined)
    const guarded = people.filter(({ guard }) => guard !== null)
    const wanted = possible(change)
    const total = guarded.length + wanted.length
    let outcomes: readonly Outcome[] = guarded.map((person) => ({
      person,
      refused: guardTexts[person.guard ?? 'owner'],
    }))
    setProgress({ outcomes, total })
    // One after another: each is an audit log entry, and the server has other clients.
    for (const person of wanted) {
      outcomes = [...outcomes, await changed(client, change, person)]
      setProgress({ outcomes, total })
    }
    refetchUser(queries)
    onDone()
    if (!outcomes.every(done)) return
    setProgress(undefined)
    snackBar.success(t('All selected users updated ({count})', { count: total }))
  }
  const buttons = changes
    .filter((change) => possible(change).length > 0)
    .map((change) => (
      <Button key={change} variant={change === 'delete' ? 'danger' : 'secondary'} onClick={() => ask(change)}>
        {t(words[change].label)}
      </Button>
    ))
  const dialogs = (
    <>
      {asked === undefined ? null : (
        <ConfirmDialog
          open
          danger={asked !== 'unblock'}
          title={t(words[asked].title, { count: possible(asked).length })}
          confirm={t(words[asked].label)}
          onClose={() => ask(undefined)}
          onConfirm={() => void act(asked)}
        >
          {t(words[asked].body)}
        </ConfirmDialog>
      )}
      {progress === undefined ? null : <Outcomes {...progress} onClose={() => setProgress(undefined)} />}
    </>
  )
  return { buttons, dialogs }
}

interface OutcomesProps {
  outcomes: readonly Outcome[]
  total: number
  onClose: () => void
}

function Outcomes({ outcomes, total, onClose }: OutcomesProps) {
  const t = useText()
  const goesOn = outcomes.length < total
  return (
    <Dialog
      open
      onClose={() => (goesOn ? undefined : onClose())}
      title={t(goesOn ? 'Updating users' : 'Results')}
      footer={
        <Button disabled={goesOn} onClick={onClose}>
          {t('Close')}
        </Button>
      }
    >
      {goesOn ? <ProgressBar label={t('Updating users')} value={outcomes.length / total} /> : null}
      <ul className="mt-3 max-h-72 space-y-2 overflow-y-auto">
        {outcomes.map(({ person, refused }) => (
          <li key={person.userId} className="flex items-start gap-2">
            <Icon name={refused === undefined ? 'success' : 'warning'} size={18} />
            <span className="min-w-0 wrap-anywhere">
              {refused === undefined
                ? t('{name}: Done', { name: displayName(person) })
                : t('{name}: {reason}', { name: displayName(person), reason: t.message(refused) })}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

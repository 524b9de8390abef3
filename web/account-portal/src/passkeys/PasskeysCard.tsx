import type { Passkey, Passkeys } from '@sightline/contract/passkeys'
import { Button, Card, Notice, SettingSwitch, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AddPasskey } from './AddPasskey.tsx'
import { AskAfterPassword } from './AskAfterPassword.tsx'
import { hasPasskeys } from './in-browser.ts'
import { RemovePasskey, RenamePasskey } from './PasskeyDialogs.tsx'
import { PasskeyList } from './PasskeyList.tsx'
import { passkeysQuery } from './passkeys-query.ts'
import { usePasskeyText } from './text.ts'

interface PasskeysCardProps {
  /** Read-only. */
  readOnly: boolean
  /** An authenticator app is on: sign-in accepts a passkey instead of its code. */
  hasApp: boolean
  /** Called when the passkey after the password was turned on or off. */
  onChanged: () => void
  onRecoveryCodes: (codes: readonly string[]) => void
}

type Doing =
  | { readonly kind: 'add' | 'ask' }
  | { readonly kind: 'rename' | 'remove'; readonly one: Passkey }
  | undefined

/** The passkeys of the signed-in user: add, rename, remove, and whether one is required after the password. */
export function PasskeysCard(props: PasskeysCardProps) {
  const { client } = useApplication()
  const t = usePasskeyText()
  const asked = useQuery(passkeysQuery(client))
  const [doing, setDoing] = useState<Doing>()
  const state = asked.data
  const mayAdd = !props.readOnly && state !== undefined && state.host !== null && hasPasskeys()
  return (
    <Card
      title={t('Passkeys')}
      description={t(
        'Sign in with your fingerprint, face or device PIN. Passkeys protect you from phishing and stolen passwords.',
      )}
      aside={
        mayAdd ? (
          <Button variant="secondary" icon="plus" onClick={() => setDoing({ kind: 'add' })}>
            {t('Add passkey')}
          </Button>
        ) : null
      }
    >
      <Loaded asked={[asked]} place={<Loading />} failure={t("Couldn't load your passkeys")}>
        {(known) => <Content {...props} state={known} onDo={setDoing} />}
      </Loaded>
      {state === undefined || doing === undefined ? null : (
        <Doer {...props} state={state} doing={doing} onClose={() => setDoing(undefined)} />
      )}
    </Card>
  )
}

const Loading = () => (
  <SkeletonGroup>
    <Skeleton className="h-5 w-56 max-w-full" />
    <Skeleton className="mt-2 h-4 w-80 max-w-full" />
  </SkeletonGroup>
)

interface ContentProps extends PasskeysCardProps {
  state: Passkeys
  onDo: (doing: Doing) => void
}

function Content({ state, readOnly, hasApp, onDo }: ContentProps) {
  const t = usePasskeyText()
  const { passkeys, asSecondFactor } = state
  const act = (kind: 'rename' | 'remove') => (readOnly ? undefined : (one: Passkey) => onDo({ kind, one }))
  return (
    <div className="space-y-5">
      <Impossible state={state} />
      {passkeys.length === 0 ? (
        <p className="text-muted">{t('No passkeys yet.')}</p>
      ) : (
        <PasskeyList state={state} onRename={act('rename')} onRemove={act('remove')} />
      )}
      {hasApp && !asSecondFactor ? null : (
        <div className="border-t border-border pt-2">
          <SettingSwitch
            label={t('Require a passkey after your password')}
            description={t(
              "When this is on, your password alone isn't enough to sign in. You can always sign in with just a passkey.",
            )}
            checked={asSecondFactor}
            fixed={fixedBecause(state, readOnly, t)}
            onChange={() => onDo({ kind: 'ask' })}
          />
        </div>
      )}
      {hasApp && passkeys.length > 0 ? (
        <p className="text-muted">{t('After your password, you can use a passkey instead of a code from your app.')}</p>
      ) : null}
    </div>
  )
}

function fixedBecause(
  { passkeys, host, asSecondFactor }: Passkeys,
  readOnly: boolean,
  t: ReturnType<typeof usePasskeyText>,
): string | undefined {
  if (readOnly) return t("You can't change this.")
  if (asSecondFactor || passkeys.some((one) => one.host === host)) return undefined
  return t('Add a passkey for this site first.')
}

/** Why passkeys can't be added here. */
function Impossible({ state }: { state: Passkeys }) {
  const t = usePasskeyText()
  if (state.host === null)
    return (
      <Notice>
        {t("Passkeys don't work here because this site is opened by its IP address instead of a domain name.")}
      </Notice>
    )
  if (hasPasskeys()) return null
  return <Notice>{t("This browser doesn't support passkeys, or the connection isn't secure.")}</Notice>
}

interface DoerProps extends PasskeysCardProps {
  state: Passkeys
  doing: NonNullable<Doing>
  onClose: () => void
}

function Doer({ state, doing, onClose, onChanged, onRecoveryCodes }: DoerProps) {
  switch (doing.kind) {
    case 'add':
      return <AddPasskey state={state} onClose={onClose} />
    case 'ask':
      return (
        <AskAfterPassword state={state} onClose={onClose} onChanged={onChanged} onRecoveryCodes={onRecoveryCodes} />
      )
    case 'rename':
      return <RenamePasskey one={doing.one} onClose={onClose} />
    case 'remove':
      return <RemovePasskey one={doing.one} onClose={onClose} />
  }
}

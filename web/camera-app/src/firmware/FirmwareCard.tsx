import {
  compareVersions,
  type Firmware,
  type FirmwareState,
  isSameVersion,
  type OfferedFirmware,
} from '@sightline/contract/firmware'
import { Badge, Button, Card, ConfirmDialog, Details, type Mood, Notice, ProgressBar, RadioGroup } from '@sightline/kit'
import { byteSize, useSave } from '@sightline/shell'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { type Text, useText } from './text.ts'

const stateWords: Readonly<Record<FirmwareState, { readonly text: Text; readonly mood: Mood }>> = {
  Requesting: { text: 'Waiting to start', mood: 'neutral' },
  Initializing: { text: 'Preparing', mood: 'neutral' },
  Downloading: { text: 'Sending the file', mood: 'neutral' },
  Installing: { text: 'Installing', mood: 'neutral' },
  Restarting: { text: 'Restarting', mood: 'neutral' },
  Failed: { text: 'Upgrade failed', mood: 'danger' },
  UpToDate: { text: 'Up to date', mood: 'success' },
  Upgradable: { text: 'Upgrade available', mood: 'warning' },
}

/** Whether an upgrade waits or runs. */
export const isUpgrading = ({ status }: Pick<Firmware, 'status'>): boolean =>
  !['Failed', 'UpToDate', 'Upgradable'].includes(status)

export interface FirmwareTexts {
  readonly title: string
  /** What it means for those who watch. */
  readonly meanwhile: string
  readonly offline: string
}

interface FirmwareCardProps {
  firmware: Firmware
  texts: FirmwareTexts
  /** Starts the upgrade to a version; undefined if the user may not. */
  onUpgrade: ((version: string) => Promise<unknown>) | undefined
  /** Cancels an upgrade that waits. */
  onCancel: (() => Promise<void>) | undefined
  isOnline: boolean
}

function Running({ firmware, onCancel }: Pick<FirmwareCardProps, 'firmware' | 'onCancel'>) {
  const t = useText()
  const isWaiting = firmware.status === 'Requesting' && firmware.progress === 0
  return (
    <div className="space-y-3" aria-live="polite">
      <p>{t(stateWords[firmware.status].text)}</p>
      <ProgressBar value={(firmware.progress ?? 0) / 100} label={t('Firmware upgrade')} />
      {isWaiting ? (
        <p className="text-xs text-muted">{t('Two devices of your account are upgraded at a time.')}</p>
      ) : (
        <p className="text-xs text-muted">{t('Don’t switch the device off.')}</p>
      )}
      {isWaiting && onCancel !== undefined ? (
        <Button variant="secondary" onClick={() => void onCancel()}>
          {t('Cancel')}
        </Button>
      ) : null}
    </div>
  )
}

/** Where an image comes from, how large it is, and its checksum. */
function Origin({ offered }: { offered: OfferedFirmware }) {
  const t = useText()
  const { locale } = useMoments()
  return (
    <Details
      details={[
        { label: t('Provided by'), value: t(offered.providedBy === 'dealer' ? 'Your dealer' : 'The service provider') },
        { label: t('Size'), value: byteSize(offered.sizeBytes, locale) },
        { label: t('Maker’s signature'), value: t(offered.signed ? 'Included' : 'None') },
        {
          label: 'SHA-256',
          value: (
            <code className="text-xs wrap-anywhere" dir="ltr">
              {offered.sha256}
            </code>
          ),
        },
      ]}
    />
  )
}

interface ChoiceProps extends Pick<FirmwareCardProps, 'firmware' | 'texts' | 'isOnline'> {
  onUpgrade: (version: string) => Promise<unknown>
}

function Choice({ firmware, texts, onUpgrade, isOnline }: ChoiceProps) {
  const t = useText()
  const save = useSave()
  const { available, current } = firmware
  const versions = firmware.versions.filter((one) => current === null || !isSameVersion(current, one.version))
  const [chosen, choose] = useState<string>()
  const [asking, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  const version = chosen ?? available ?? versions[0]?.version ?? ''
  const offered = versions.find((one) => one.version === version)
  if (offered === undefined) return null
  const isNewer = current === null || compareVersions(version, current) > 0
  const upgrade = async () => {
    setBusy(true)
    await save(() => onUpgrade(version), {
      success: t('Firmware upgrade started'),
      messages: {
        6: t('It is restarting or being worked on already. Try again when that has finished.'),
        14: texts.offline,
        18: texts.offline,
        11: t(
          'The firmware of this device can’t be upgraded from here. An input of a recorder is upgraded with the recorder.',
        ),
      },
    })
    setBusy(false)
    ask(false)
  }
  return (
    <div className="space-y-4">
      {versions.length > 1 ? (
        <RadioGroup
          label={t('Version')}
          value={version}
          options={versions.map((one) => ({ value: one.version, label: one.version }))}
          onChange={choose}
        />
      ) : null}
      <Origin offered={offered} />
      {isOnline ? null : <Notice mood="warning">{texts.offline}</Notice>}
      <Button disabled={!isOnline} onClick={() => ask(true)}>
        {isNewer ? t('Upgrade to {version}', { version }) : t('Install {version}', { version })}
      </Button>
      <ConfirmDialog
        open={asking}
        title={isNewer ? t('Upgrade to {version}?', { version }) : t('Install {version}?', { version })}
        confirm={isNewer ? t('Upgrade firmware') : t('Install {version}', { version })}
        busy={busy}
        onClose={() => ask(false)}
        onConfirm={() => void upgrade()}
      >
        <p>{texts.meanwhile}</p>
      </ConfirmDialog>
    </div>
  )
}

/** The firmware that runs, what is available, and how an upgrade goes. */
export function FirmwareCard({ firmware, texts, onUpgrade, onCancel, isOnline }: FirmwareCardProps) {
  const t = useText()
  const { text, mood } = stateWords[firmware.status]
  return (
    <Card title={texts.title} aside={<Badge mood={mood}>{t(text)}</Badge>}>
      <div className="space-y-5">
        <Details
          details={[
            { label: t('Current version'), value: firmware.current ?? t('Unknown') },
            { label: t('Available version'), value: firmware.available ?? t('None') },
          ]}
        />
        {firmware.error === null ? null : (
          <Notice mood="danger">
            {t('The last upgrade failed:')}{' '}
            <bdi lang="en" className="wrap-anywhere">
              {firmware.error}
            </bdi>
          </Notice>
        )}
        {isUpgrading(firmware) ? <Running firmware={firmware} onCancel={onCancel} /> : null}
        {isUpgrading(firmware) || onUpgrade === undefined ? null : (
          <Choice firmware={firmware} texts={texts} onUpgrade={onUpgrade} isOnline={isOnline} />
        )}
        {firmware.versions.length === 0 ? (
          <p className="text-muted">
            {t('No firmware is offered for this model. Your dealer or service provider can add it.')}
          </p>
        ) : null}
      </div>
    </Card>
  )
}

import { patchZoneMode } from '@sightline/contract/camera-modes'
import type { Zone } from '@sightline/contract/zones'
import { Button, Card, Dialog } from '@sightline/kit'
import { useAllTexts, useApplication, useMay } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { zoneQueries } from '../zones/index.ts'
import { FailedCameras } from './FailedCameras.tsx'
import { ModeMenu } from './ModeMenu.tsx'
import { modeTexts } from './mode-texts.ts'
import { useText } from './text.ts'
import { useZoneMode } from './use-zone-mode.ts'

function ZoneRow({ zone }: { zone: Zone }) {
  const t = useText()
  const { mode, isMixed, busy, failed, change } = useZoneMode(zone)
  return (
    <li className="border-b border-border py-3 last:border-b-0">
      <div className="flex items-center justify-between gap-4">
        <span className="min-w-0">
          <span className="block font-medium wrap-anywhere">{zone.name}</span>
          <span className="block text-muted">{t('Cameras: {count}', { count: zone.cameraIds.length })}</span>
        </span>
        <ModeMenu {...{ name: zone.name, mode, isMixed, busy }} onChange={(next) => void change(next)} />
      </div>
      <FailedCameras failed={failed} />
    </li>
  )
}

/** A button that opens the modes of all zones that the user can change; nothing if there are none. */
export function ZoneModesButton() {
  const t = useText()
  const hasTexts = useAllTexts()
  const { client } = useApplication()
  const [open, setOpen] = useState(false)
  const may = useMay()(patchZoneMode) === true
  const zones = useQuery({ ...zoneQueries(client).list, enabled: may }).data?.filter(({ whole }) => whole)
  if (!hasTexts || !may || zones === undefined || zones.length === 0) return null
  return (
    <>
      <Button variant="secondary" icon="shield" onClick={() => setOpen(true)}>
        {t('Arm or disarm')}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('Arm or disarm zones')}
        footer={<Button onClick={() => setOpen(false)}>{t('Close')}</Button>}
      >
        <p className="text-muted">{t('A mode applies to all cameras in the zone, within a second.')}</p>
        <ul>
          {zones.map((zone) => (
            <ZoneRow key={zone.zoneId} zone={zone} />
          ))}
        </ul>
      </Dialog>
    </>
  )
}

/** The mode of a zone on its page. */
export function ZoneModeCard({ zone }: { zone: Zone }) {
  const t = useText()
  const { mode, isMixed, busy, failed, change } = useZoneMode(zone)
  const meaning = modeTexts.find((one) => one.mode === mode)?.meaning
  return (
    <Card
      title={t('Mode')}
      description={t('A mode applies to all cameras in the zone, within a second.')}
      aside={<ModeMenu {...{ name: zone.name, mode, isMixed, busy }} onChange={(next) => void change(next)} />}
    >
      <p>{isMixed || meaning === undefined ? t('Some cameras in this zone have their own mode.') : t(meaning)}</p>
      <FailedCameras failed={failed} />
    </Card>
  )
}

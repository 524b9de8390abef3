import { Button, SearchSelect, TextField } from '@sightline/kit'
import { accountQueries, useApplication } from '@sightline/shell'
import { timeZoneOptions, zoneInWords } from '@sightline/shell/time-zones'
import { useQuery } from '@tanstack/react-query'
import { type ClipboardEvent, useState } from 'react'
import { coordinateText, pastedPlace } from './place.ts'
import { type Text, useText } from './text.ts'
import type { ZoneForm } from './zone-form.ts'

const FIND_WITHIN_MS = 15_000

const whyNot: Readonly<Record<number, Text>> = {
  1: 'This browser was not allowed to say where it is.',
  2: 'This device does not know where it is.',
  3: 'This device did not find out in time where it is.',
}

/** Asks the device for its location once; browsers ask the user first. */
function DevicePlace({ form }: { form: ZoneForm }) {
  const t = useText()
  const { snackBar } = useApplication()
  const [busy, setBusy] = useState(false)
  // Browsers provide the location only on secure pages.
  if (!window.isSecureContext) return null
  const find = () => {
    setBusy(true)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setBusy(false)
        form.choose('latitude', coordinateText(coords.latitude))
        form.choose('longitude', coordinateText(coords.longitude))
      },
      ({ code }) => {
        setBusy(false)
        snackBar.error(t(whyNot[code] ?? 'This device does not know where it is.'))
      },
      { enableHighAccuracy: true, timeout: FIND_WITHIN_MS },
    )
  }
  return (
    <Button variant="secondary" icon="pin" busy={busy} onClick={find}>
      {t('Use the place of this device')}
    </Button>
  )
}

function PlaceFields({ form }: { form: ZoneForm }) {
  const t = useText()
  const onPaste = (event: ClipboardEvent) => {
    const place = pastedPlace(event.clipboardData.getData('text'))
    if (place === undefined) return
    event.preventDefault()
    form.choose('latitude', coordinateText(place.latitude))
    form.choose('longitude', coordinateText(place.longitude))
  }
  const isPlaced = form.values.latitude !== '' || form.values.longitude !== ''
  return (
    <fieldset className="space-y-3">
      <legend className="mb-3">
        <span className="block font-medium">{t('Place on the map')}</span>
        <span className="block text-muted">
          {t('Decimal degrees, such as 52.37022 and 4.89517. Both can be pasted at once, as maps copy them.')}
        </span>
      </legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field('latitude')}
          label={t('Latitude')}
          optional={t('optional')}
          inputMode="text"
          autoComplete="off"
          dir="ltr"
          onPaste={onPaste}
        />
        <TextField
          {...form.field('longitude')}
          label={t('Longitude')}
          optional={t('optional')}
          inputMode="text"
          autoComplete="off"
          dir="ltr"
          onPaste={onPaste}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <DevicePlace form={form} />
        {isPlaced ? (
          <Button
            variant="quiet"
            onClick={() => {
              form.choose('latitude', '')
              form.choose('longitude', '')
            }}
          >
            {t('Take the place away')}
          </Button>
        ) : null}
      </div>
    </fieldset>
  )
}

/** Name, location and time zone of a zone. */
export function ZoneFields({ form }: { form: ZoneForm }) {
  const t = useText()
  const { client, queries, languages } = useApplication()
  const language = languages.current()
  const named = (zone: string) => zoneInWords(zone, language, new Date())
  const accountZone = useQuery(accountQueries(client).timeZone).data?.timeZone
  const ofAccount = {
    value: '',
    label:
      accountZone === undefined
        ? t('That of the account')
        : t('That of the account: {timeZone}', { timeZone: named(accountZone) }),
  }
  const { timeZone } = form.values
  return (
    <>
      <TextField {...form.field('name')} label={t('Name')} autoComplete="off" />
      <SearchSelect
        label={t('Time zone')}
        hint={t('Schedules of the zone go by it.')}
        value={timeZone}
        valueLabel={timeZone === '' ? ofAccount.label : named(timeZone)}
        options={async () => [ofAccount, ...(await timeZoneOptions({ client, queries, language }))]}
        onChange={(value) => form.choose('timeZone', value)}
      />
      <PlaceFields form={form} />
    </>
  )
}

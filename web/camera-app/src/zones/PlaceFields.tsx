import { Button, type Form, TextField } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { type ClipboardEvent, useState } from 'react'
import { coordinateText, parseCoordinates } from './coordinates.ts'
import { type Text, useText } from './text.ts'
import type { PlaceValues } from './zone-form.ts'

const FIND_WITHIN_MS = 15_000

const whyNot: Readonly<Record<number, Text>> = {
  1: 'Location access is blocked. Allow it in your browser settings and try again.',
  2: "Couldn't find your location. Enter the coordinates instead.",
  3: "Couldn't find your location in time. Try again.",
}

/** Asks the device for its location once; browsers ask the user first. */
function DevicePlace({ form }: { form: Form<PlaceValues> }) {
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
        snackBar.error(t(whyNot[code] ?? "Couldn't find your location. Enter the coordinates instead."))
      },
      { enableHighAccuracy: true, timeout: FIND_WITHIN_MS },
    )
  }
  return (
    <Button variant="secondary" icon="pin" busy={busy} onClick={find}>
      {t('Use my location')}
    </Button>
  )
}

/** Latitude and longitude: typed, pasted together, or from the device. */
export function PlaceFields({ form, disabled = false }: { form: Form<PlaceValues>; disabled?: boolean }) {
  const t = useText()
  const onPaste = (event: ClipboardEvent) => {
    const place = parseCoordinates(event.clipboardData.getData('text'))
    if (place === undefined) return
    event.preventDefault()
    form.choose('latitude', coordinateText(place.latitude))
    form.choose('longitude', coordinateText(place.longitude))
  }
  const isPlaced = form.values.latitude !== '' || form.values.longitude !== ''
  return (
    <fieldset className="space-y-3">
      <legend className="mb-3">
        <span className="block font-medium">{t('Location')}</span>
        <span className="block text-muted">
          {t('Use decimal degrees, such as 52.37022 and 4.89517. You can paste both at once, as copied from a map.')}
        </span>
      </legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field('latitude')}
          disabled={disabled}
          label={t('Latitude')}
          optional={t('optional')}
          inputMode="text"
          autoComplete="off"
          dir="ltr"
          onPaste={onPaste}
        />
        <TextField
          {...form.field('longitude')}
          disabled={disabled}
          label={t('Longitude')}
          optional={t('optional')}
          inputMode="text"
          autoComplete="off"
          dir="ltr"
          onPaste={onPaste}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        {disabled ? null : <DevicePlace form={form} />}
        {isPlaced && !disabled ? (
          <Button
            variant="quiet"
            onClick={() => {
              form.choose('latitude', '')
              form.choose('longitude', '')
            }}
          >
            {t('Remove location')}
          </Button>
        ) : null}
      </div>
    </fieldset>
  )
}

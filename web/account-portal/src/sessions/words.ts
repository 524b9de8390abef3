import type { Device, SessionLocation } from '@sightline/contract/sessions'
import type { IconName } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { countryName } from '../user-details/index.ts'
import { useSessionsText } from './text.ts'

export const deviceIcon = (kind: Device['kind']): IconName => (kind === 'desktop' || kind === null ? 'monitor' : 'apps')

interface WithOrigin {
  readonly device: Device
  readonly place: SessionLocation
  readonly address: string | null
  readonly clientId: string | null
  readonly clientName: string | null
}

/** The details of a session or an attempt, in words. */
export function useWords() {
  const t = useSessionsText()
  const { languages, config } = useApplication()
  const { accountPortal, cameraApp, dealerDashboard } = config.clientIds
  const own = new Map([
    [accountPortal, t('My Account')],
    [cameraApp, t('Web App')],
    [dealerDashboard, t('Dealer Dashboard')],
  ])
  const clientOf = ({ clientId, clientName }: Pick<WithOrigin, 'clientId' | 'clientName'>) =>
    clientName ?? own.get(clientId ?? '') ?? clientId ?? undefined
  return {
    clientOf,
    /** The browser and its operating system; for a program, the name of the client. */
    titleOf: (of: WithOrigin): string => {
      const { browser, system } = of.device
      if (browser !== null && system !== null) return t('{browser} on {system}', { browser, system })
      return browser ?? system ?? of.clientName ?? t('Unknown device')
    },
    placeOf: ({ place, address }: Pick<WithOrigin, 'place' | 'address'>): string => {
      const country = place.country === null ? '' : countryName(place.country, languages.current())
      const known = place.isLocal
        ? t('Local network')
        : [place.city ?? '', country].filter((text) => text !== '').join(', ')
      return [known, address ?? ''].filter((text) => text !== '').join(' · ')
    },
  }
}

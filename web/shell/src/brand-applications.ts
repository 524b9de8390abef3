import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import type { ShellApp } from '@sightline/kit'
import type { ApplicationName } from './application.ts'
import type { Translation } from './translation.tsx'

/** People who are in this application see it even if the brand doesn't offer it to everyone. */
function dealerDashboard({ theme, dealerURL }: RuntimeConfig, current: ApplicationName, t: Translation): ShellApp[] {
  const name = t('Dealer Dashboard')
  if (current === 'dealerDashboard') return [{ name, href: '/dealer/', icon: 'grid', current: true }]
  if (!theme.links.showdealerdashboard) return []
  return [{ name, href: theme.links.dealerdashboard ?? dealerURL, icon: 'grid', current: false }]
}

interface Around {
  readonly config: RuntimeConfig
  readonly current: ApplicationName
  /** A support session is active. */
  readonly isSupport: boolean
}

/**
 * The applications of the brand for the switcher. Two of them appear only if the brand allows them, and My Account
 * doesn't link support sessions to the Web App (specification §1). They can't download anything, so they get no Download Portal.
 */
export function availableApplications({ config, current, isSupport }: Around, t: Translation): readonly ShellApp[] {
  const { links } = config.theme
  const other = (name: string, href: string, icon: ShellApp['icon']): ShellApp => ({ name, href, icon, current: false })
  const webApp: ShellApp =
    current === 'cameraApp'
      ? { name: t('Web App'), href: '/app/', icon: 'camera', current: true }
      : other(t('Web App'), links.webapp ?? config.webappURL, 'camera')
  return [
    ...(isSupport && current === 'accountPortal' ? [] : [webApp]),
    ...(links.showDownloadPortal && !isSupport
      ? [other(t('Download Portal'), links.downloadportal ?? config.downloadportalURL, 'download')]
      : []),
    current === 'accountPortal'
      ? { name: t('My Account'), href: '/', icon: 'user', current: true }
      : other(t('My Account'), links.myaccount ?? config.myaccountURL, 'user'),
    ...dealerDashboard(config, current, t),
  ]
}

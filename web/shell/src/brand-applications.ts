import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import type { ShellApp } from '@sightline/kit'
import type { ApplicationName } from './application.ts'
import type { Translation } from './translation.tsx'

/** Who is in it sees it, also where the brand does not offer it to everybody. */
function dealerDashboard({ theme, dealerURL }: RuntimeConfig, current: ApplicationName, t: Translation): ShellApp[] {
  const name = t('Dealer Dashboard')
  if (current === 'dealerDashboard') return [{ name, href: '/dealer/', icon: 'grid', current: true }]
  if (!theme.links.showdealerdashboard) return []
  return [{ name, href: theme.links.dealerdashboard ?? dealerURL, icon: 'grid', current: false }]
}

interface Around {
  readonly config: RuntimeConfig
  readonly current: ApplicationName
  /** Somebody of support is in the account. */
  readonly isSupport: boolean
}

/**
 * The applications of the brand for the switcher; two of them only where it allows them, and from My Account no way into
 * the Web App for support (specification §1).
 */
export function applicationsOf({ config, current, isSupport }: Around, t: Translation): readonly ShellApp[] {
  const { links } = config.theme
  const other = (name: string, href: string, icon: ShellApp['icon']): ShellApp => ({ name, href, icon, current: false })
  const webApp: ShellApp =
    current === 'cameraApp'
      ? { name: t('Web App'), href: '/app/', icon: 'camera', current: true }
      : other(t('Web App'), links.webapp ?? config.webappURL, 'camera')
  return [
    ...(isSupport && current === 'accountPortal' ? [] : [webApp]),
    ...(links.showDownloadPortal
      ? [other(t('Download Portal'), links.downloadportal ?? config.downloadportalURL, 'download')]
      : []),
    current === 'accountPortal'
      ? { name: t('My Account'), href: '/', icon: 'user', current: true }
      : other(t('My Account'), links.myaccount ?? config.myaccountURL, 'user'),
    ...dealerDashboard(config, current, t),
  ]
}

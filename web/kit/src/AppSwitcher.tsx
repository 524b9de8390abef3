import { Icon, type IconName } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'
import { Menu, type MenuItem } from './Menu.tsx'

export interface ShellApp {
  readonly name: string
  readonly href: string
  readonly icon: IconName
  readonly current: boolean
}

interface AppSwitcherProps {
  apps: readonly ShellApp[]
  /** A plain press on another application. */
  onLaunch: ((href: string) => void) | undefined
}

/** The button that lists the brand's applications. */
export function AppSwitcher({ apps, onLaunch }: AppSwitcherProps) {
  const text = useKitText()
  const items = apps.map(({ name, href, icon, current }): MenuItem => {
    const onFollow = onLaunch === undefined || current ? undefined : () => onLaunch(href)
    return { label: name, href, icon, current, onFollow }
  })
  return (
    <Menu
      label={text('Applications')}
      trigger={<Icon name="apps" />}
      triggerClass="inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
      items={items}
      align="end"
    />
  )
}

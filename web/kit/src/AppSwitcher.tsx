import { Icon, type IconName } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'
import { Menu, type MenuItem } from './Menu.tsx'

export interface ShellApp {
  readonly name: string
  readonly href: string
  readonly icon: IconName
  readonly current: boolean
}

/** The button that lists the brand's applications. */
export function AppSwitcher({ apps }: { apps: readonly ShellApp[] }) {
  const text = useKitText()
  const items = apps.map((app): MenuItem => ({ label: app.name, href: app.href, icon: app.icon, current: app.current }))
  return (
    <Menu
      label={text('Applications')}
      trigger={<Icon name="apps" />}
      triggerClass="inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
      items={items}
    />
  )
}

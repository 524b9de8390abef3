// Every part that screens are made of, on one page for tests: `?rows=10000&dir=rtl`. It is no part of the product.
import './gallery.css'
import { createRoot } from 'react-dom/client'
import { AppShell, ScreenTitle } from '../src/index.ts'
import { BackLink, Banner, SideMenu, Tabs } from '../src/page/index.ts'
import { SettingParts } from './SettingParts.tsx'
import { OtherTables, PeopleTable } from './TableParts.tsx'

const asked = new URLSearchParams(window.location.search)
document.documentElement.dir = asked.get('dir') ?? 'ltr'

const nav = [
  { href: '#cameras', label: 'Cameras', icon: 'camera', current: false },
  { href: '#users', label: 'Users', icon: 'users', current: true },
  { href: '#log', label: 'Audit log', icon: 'list', current: false },
] as const

function Gallery() {
  return (
    <AppShell
      brand={{ companyName: 'Sightline', logo: null, logoWidth: 0, logoHeight: 0 }}
      home="#"
      wide
      nav={nav}
      sideMenu={<SideMenu items={nav} />}
      onNavigate={(href) => {
        window.location.hash = href
      }}
      banner={
        <Banner mood="warning" action={{ label: 'Leave the account', onPress: () => undefined }}>
          You are in the account of Ada Lovelace as support. The owner sees what you do.
        </Banner>
      }
    >
      <BackLink href="#back">All users</BackLink>
      <ScreenTitle title="Users">Who else may use this account, and what each of them may see and do.</ScreenTitle>
      <Tabs
        label="User"
        tabs={[
          { href: '#details', label: 'Details', current: false },
          { href: '#rights', label: 'Rights', current: true },
          { href: '#cameras', label: 'Cameras and zones', current: false },
          { href: '#why', label: 'Why', current: false },
        ]}
      />
      <div className="space-y-6">
        <PeopleTable count={Number(asked.get('rows') ?? 60)} />
        {asked.has('rows') ? null : (
          <>
            <OtherTables />
            <SettingParts />
          </>
        )}
      </div>
    </AppShell>
  )
}

const place = document.getElementById('root')
if (place !== null) createRoot(place).render(<Gallery />)

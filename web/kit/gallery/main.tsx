// All components of the kit on one page: `npm run kit`, and for tests with `?rows=10000&dir=rtl&lang=de`; `?dates` leaves
// the tables out. Not part of the product.
import './gallery.css'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { AppShell, BackLink, Banner, ScreenTitle, SideMenu, Tabs } from '../src/index.ts'
import { ControlParts } from './ControlParts.tsx'
import { DateParts } from './DateParts.tsx'
import { SettingParts } from './SettingParts.tsx'
import { OtherTables, PeopleTable } from './TableParts.tsx'

const asked = new URLSearchParams(window.location.search)
document.documentElement.dir = asked.get('dir') ?? 'ltr'
document.documentElement.lang = asked.get('lang') ?? 'en'

const pages = [
  { href: '#cameras', label: 'Cameras', icon: 'camera' },
  { href: '#users', label: 'Users', icon: 'users' },
  { href: '#log', label: 'Audit log', icon: 'list' },
] as const

const tabs = [
  { href: '#details', label: 'Details' },
  { href: '#rights', label: 'Rights' },
  { href: '#cameras-and-zones', label: 'Cameras and zones' },
  { href: '#why', label: 'Why' },
]

const apps = [
  { name: 'My Account', href: '#account', icon: 'user', current: false },
  { name: 'Web App', href: '#app', icon: 'camera', current: true },
] as const

function Gallery() {
  const [page, goTo] = useState('#users')
  const [tab, setTab] = useState('#rights')
  const nav = pages.map((one) => ({ ...one, current: one.href === page }))
  return (
    <AppShell
      brand={{ companyName: 'Sightline', logo: null, logoWidth: 0, logoHeight: 0 }}
      home="#"
      apps={apps}
      wide
      nav={nav}
      sideMenu={<SideMenu items={nav} />}
      onNavigate={(href) => {
        if (tabs.some((one) => one.href === href)) setTab(href)
        else goTo(href)
      }}
      banner={
        <Banner mood="warning" action={{ label: 'Leave account', onPress: () => undefined }}>
          You&apos;re in Ada Lovelace&apos;s account as support. The account owner can see what you do.
        </Banner>
      }
    >
      <BackLink href="#back">All users</BackLink>
      <ScreenTitle title="Users">Who else may use this account, and what each of them may see and do.</ScreenTitle>
      <Tabs label="User" tabs={tabs.map((one) => ({ ...one, current: one.href === tab }))} />
      <div className="space-y-6">
        {asked.has('dates') ? null : <PeopleTable count={Number(asked.get('rows') ?? asked.get('people') ?? 60)} />}
        {asked.has('rows') || asked.has('dates') ? null : (
          <>
            <OtherTables />
            <ControlParts />
          </>
        )}
        {asked.has('rows') ? null : (
          <>
            <DateParts />
            <SettingParts />
          </>
        )}
      </div>
    </AppShell>
  )
}

const place = document.getElementById('root')
if (place !== null) createRoot(place).render(<Gallery />)

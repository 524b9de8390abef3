import './main.css'
import { startApplication } from '@sightline/shell/start'
import { prepareFirstScreen } from './first-screen.ts'
import { languages } from './languages.ts'

startApplication({
  name: 'cameraApp',
  languages,
  load: () => import('./screens.tsx'),
  prepare: prepareFirstScreen,
})

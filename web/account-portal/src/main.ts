import './main.css'
import { startApplication } from '@sightline/shell/start'
import { loadScreens, prepareFirstScreen } from './first-screen.ts'
import { languages } from './languages.ts'

startApplication({
  name: 'accountPortal',
  languages,
  load: loadScreens,
  prepare: prepareFirstScreen,
})

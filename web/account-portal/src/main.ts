import './main.css'
import { startApplication } from '@sightline/shell/start'
import { prepareEmbedding, prepareFirstScreen } from './first-screen.ts'
import { languages } from './languages.ts'

startApplication({
  name: 'accountPortal',
  languages,
  load() {
    prepareEmbedding()
    return import('./screens.tsx')
  },
  prepare: prepareFirstScreen,
})

import './main.css'
import { startApplication } from '@sightline/shell/start'
import { languages } from './languages.ts'

startApplication({ name: 'dealerDashboard', languages, load: () => import('./screens.tsx') })

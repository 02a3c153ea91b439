import { Publishing } from './Publishing'
import { Reading } from './Reading'
import classes from './welcome.module.css'

/** Where to go on, for those who read and for those who publish. */
export const Doors = () => (
  <div className={classes.doors}>
    <Reading />
    <Publishing />
  </div>
)

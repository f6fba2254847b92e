/** What goes where, and what each permission is for. */

import { fillTexts } from "./connection.js";

fillTexts();

"use strict";
// Runs before the first paint: applies the stored theme, if any.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch (refused) { /* storage is disabled: use the system's colour scheme */ }
